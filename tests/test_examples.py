"""What we hand out as examples, and what `init` writes into a new vault, is itself in order."""

import json
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from ulid import ULID

from memory_wiki.page.links import destination, has_target, resolve
from memory_wiki.page.page import Page, parse
from memory_wiki.page.path import RESERVED, PagePath, folded, page_path, stem

EXAMPLES = Path(__file__).parents[1] / "examples"
STARTER = files("memory_wiki.vault") / "starter"
COLUMNS = ["file.name", "type", "status", "tags", "by", "created", "confidence", "pinned", "file.mtime"]
BASES = ("memories.base", "decisions.base", "recent.base", "archived.base")


def _read_vault() -> dict[PagePath, Page]:
    vault = EXAMPLES / "vault"
    paths = sorted(file.relative_to(vault).as_posix() for file in vault.rglob("*") if file.is_file())
    return {page_path(path): parse(page_path(path), (vault / path).read_bytes()) for path in paths}


PAGES = _read_vault()


def _names(pages: Mapping[PagePath, Page]) -> Mapping[str, Sequence[PagePath]]:
    names: defaultdict[str, list[PagePath]] = defaultdict(list)
    for path, page in pages.items():
        for name in {folded(stem(path)), *map(folded, page.aliases)}:
            names[name].append(path)
    return names


NAMES = _names(PAGES)


def _named(name: str) -> Sequence[PagePath]:
    return NAMES.get(name, ())


@pytest.fixture(params=list(PAGES.values()), ids=list(PAGES))
def page(request: pytest.FixtureRequest) -> Page:
    assert isinstance(request.param, Page)
    return request.param


def test_a_page_has_a_type_and_no_problems(page: Page) -> None:
    assert page.type
    assert page.problems == ()


def test_a_page_keeps_clear_of_the_names_that_open_knowledge_format_reserves(page: Page) -> None:
    assert folded(stem(page.path)) not in RESERVED


def test_an_id_is_a_ulid_of_the_moment_at_which_the_page_was_made(page: Page) -> None:
    assert ULID.from_str(page.id).datetime == page.created


def test_a_page_was_made_in_autumn_2026(page: Page) -> None:
    assert page.created is not None
    assert datetime(2026, 10, 1, tzinfo=UTC) <= page.created < datetime(2026, 12, 1, tzinfo=UTC)


def test_every_link_of_a_page_leads_somewhere(page: Page) -> None:
    for link in page.links:
        target = destination(link, page.path, _named)
        assert target, f"{page.path}:{link.line} links to {link.target}, which is no page"
        assert has_target(PAGES[target], link), f"{page.path}:{link.line}: {target} lacks what is linked to"


def test_every_source_and_supersedes_names_a_page(page: Page) -> None:
    named = [fact.source for fact in page.facts if fact.source]
    named += [str(page.values["supersedes"])] if "supersedes" in page.values else []
    for link in named:
        assert resolve(link.strip("[]").split("#")[0], page.path, _named), f"{page.path} names {link}"


def test_facts_carry_ids_that_are_unique_within_a_page(page: Page) -> None:
    ids = [fact.id for fact in page.facts]
    assert all(ids)
    assert len(set(ids)) == len(ids)


def test_ids_are_unique_within_the_vault() -> None:
    assert [id_ for id_, count in Counter(page.id for page in PAGES.values()).items() if count > 1] == []


def test_the_vault_shows_each_thing_that_a_vault_can_hold() -> None:
    assert {page.status for page in PAGES.values()} == {"active", "archived", "superseded"}
    assert {page.language for page in PAGES.values()} >= {"zh", "de", "ja"}
    assert len({page.type for page in PAGES.values()}) == 12
    assert any(page.markup.callouts for page in PAGES.values())
    assert any("👩‍🚀" in page.body for page in PAGES.values())


def _batch() -> Iterator[dict[str, str | list[str]]]:
    for line in (EXAMPLES / "batch.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def test_the_batch_holds_twelve_new_memories_of_known_projects() -> None:
    batch = list(_batch())
    assert len({str(memory["title"]) for memory in batch} - {page.title for page in PAGES.values()}) == 12
    for memory in batch:
        assert set(memory) == {"text", "title", "type", "tags", "project"}
        assert all(memory.values())
        assert PagePath(f"projects/{memory['project']}/project.md") in PAGES


def test_links_of_the_batch_lead_to_pages_of_the_vault() -> None:
    for memory in _batch():
        new = parse(PagePath(f"projects/{memory['project']}/notes/new.md"), str(memory["text"]).encode())
        assert all(destination(link, new.path, _named) for link in new.links)


def test_the_starting_settings_are_the_defaults() -> None:
    settings = tomllib.loads((STARTER / "memory-wiki.toml").read_text(encoding="utf-8"))
    assert settings == {"format": 1, "language": "en", "budget": 2000, "commit_outside_edits": True, "model": "auto"}


def test_git_is_told_to_leave_the_bytes_of_pages_alone() -> None:
    lines = (STARTER / "gitattributes").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["*.md -text diff=markdown"]


@pytest.mark.parametrize("name", BASES)
def test_a_base_lists_pages_only_in_tables_of_our_columns(name: str) -> None:
    base = yaml.safe_load((STARTER / name).read_text(encoding="utf-8"))
    assert 'file.ext == "md"' in base["filters"]["and"]
    assert len({view["name"] for view in base["views"]}) == len(base["views"]) > 0
    for view in base["views"]:
        assert view["type"] == "table"
        assert view["order"] == COLUMNS
