"""One spelling for all URLs of a shared repository. Pure."""

import re

_URL = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://)?(?:[^/@\s]+@)?(?P<host>\[[^\]]+\]|[^/:\s]+)(?::\d+(?=/))?[:/](?P<path>.+)",
    re.IGNORECASE,
)


def normal_remote(url: str) -> str:
    """One spelling for all URLs of a repository: `git@github.com:acme/Shop.git` → `github.com/acme/shop`.

    "" for a path on this machine, which names nothing that others share. Case is folded, as the large hosts do.
    """
    if url.startswith(("/", ".", "file:", "~")) or re.match(r"[A-Za-z]:[\\/]", url):
        return ""
    if not (found := _URL.fullmatch(url.strip())):
        return ""
    path = found["path"].strip("/").removesuffix(".git").strip("/")
    return f"{found['host']}/{path}".casefold()


def remotes_of(value: object) -> tuple[str, ...]:
    """A project page's `remotes`, each in its one spelling: a list, or one alone."""
    found = value if isinstance(value, list) else [value]
    return tuple(normal_remote(remote) or remote for remote in found if isinstance(remote, str) and remote)
