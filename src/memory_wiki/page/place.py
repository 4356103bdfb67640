"""Where pages live: which folder a new one goes to, and what a path says of project and archive. Pure."""

from datetime import datetime

from memory_wiki.page.path import PagePath, file_name

PROJECTS = "projects"
GLOBAL = "global"
ARCHIVE = "archive"
PROJECT_PAGE = "project.md"

_FOLDERS = {
    "decision": "decisions",
    "fact": "facts",
    "error": "errors",
    "procedure": "procedures",
    "requirement": "requirements",
    "prompt": "prompts",
    "handoff": "handoffs",
    "preference": "preferences",
    "person": "people",
}


def folder_for(type_: str, project: str, now: datetime) -> str:
    """The folder of a new page: of its project, or `global/` where that is ""."""
    home = f"{PROJECTS}/{project}" if project else GLOBAL
    if type_ == "session":
        return f"{home}/sessions/{now:%Y-%m}"
    return f"{home}/{_FOLDERS.get(type_, 'notes')}"


def project_page(slug: str) -> PagePath:
    return PagePath(f"{PROJECTS}/{slug}/{PROJECT_PAGE}")


def project_of(path: PagePath) -> str:
    """The slug of the project a page belongs to, in the archive too; "" for none."""
    parts = path.removeprefix(f"{ARCHIVE}/").split("/")
    return parts[1] if len(parts) > 2 and parts[0] == PROJECTS else ""  # noqa: PLR2004


def is_archived(path: PagePath) -> bool:
    return path.startswith(f"{ARCHIVE}/")


def archived(path: PagePath) -> PagePath:
    """Where a page goes when it fades: the same path, below `archive/`."""
    return path if is_archived(path) else PagePath(f"{ARCHIVE}/{path}")


def slug_for(name: str) -> str:
    """A project's name as a folder's."""
    return file_name(name, "project")
