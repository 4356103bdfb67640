"""How long a person waits who makes a vault of a folder they have, and whether any byte of it changes.

    python benchmarks/first_open.py                    # 2,000 pages made of the examples
    python benchmarks/first_open.py --data ~/notes     # copies of the pages of a folder of yours
    python benchmarks/first_open.py --pages 10000 --json

Runs the real commands as processes of their own, in a new folder, and prints seconds.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

COMMAND = str(Path(sys.executable).with_name("memory-wiki"))
EXAMPLES = Path(__file__).parent.parent / "examples" / "vault"
FOLDERS = 40
Result = dict[str, float | int | bool]


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="memory-wiki-benchmark-") as folder:
        result = measured(Path(folder), options.data, options.pages)
    print(json.dumps(result) if options.json else table(result))
    sys.exit(1 if result["bytes_changed"] else 0)


def measured(vault: Path, data: Path, count: int) -> Result:
    """Fills an empty folder with copies of the pages of `data`, makes it a vault, and gives seconds of each step."""
    write_pages(vault, data, count)
    before = digest(vault)
    result: Result = {"pages": len(before), "bytes": sum(map(len, read_all(vault)))}
    result["init_s"] = seconds("init", str(vault))
    result["recall_s"] = seconds("recall", "unique7", "--vault", str(vault))
    result["reindex_s"] = seconds("reindex", "--vault", str(vault))
    result["bytes_changed"] = digest(vault) != before
    with next(vault.glob("folder 3/*.md")).open("ab") as page:
        page.write(b"by hand\n")
    result["recall_after_an_edit_s"] = seconds("recall", "hand", "--vault", str(vault))
    return result


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000, help="how many (default 2000)")
    parser.add_argument(
        "--data", type=Path, default=EXAMPLES, help="a folder whose .md files are copied, round and round"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    return parser.parse_args()


def copies(data: Path, count: int) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of so many pages made of those in `data`, each with a word of its own, and no id twice."""
    texts = [file.read_bytes() for file in sorted(data.rglob("*.md"))]
    for number, text in enumerate(islice(cycle(texts), count)):
        without_id = b"\n".join(line for line in text.split(b"\n") if not line.startswith(b"id: "))
        yield f"folder {number % FOLDERS}/page {number}.md", without_id + b"\nunique%d\n" % number


def write_pages(vault: Path, data: Path, count: int) -> None:
    for path, text in copies(data, count):
        (vault / path).parent.mkdir(exist_ok=True)
        (vault / path).write_bytes(text)


def seconds(*args: str) -> float:
    started = time.perf_counter()
    subprocess.run([COMMAND, *args], check=True, capture_output=True)
    return round(time.perf_counter() - started, 2)


def read_all(vault: Path) -> list[bytes]:
    return [file.read_bytes() for file in vault.rglob("*.md")]


def digest(vault: Path) -> dict[str, str]:
    return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(vault.rglob("*.md"))}


def table(result: Result) -> str:
    return "\n".join(f"{name:<22} {value}" for name, value in result.items())


if __name__ == "__main__":
    main()
