"""How well contradictions are told from all else, by the words of two statements.

    python benchmarks/contradictions.py --data sick.tsv             # columns label, a, b; CONTRADICTION is a label
    python benchmarks/contradictions.py --data sick.tsv --vault ~/notes

Of pairs of sentences, how many of those told are contradictions (precision), and how many contradictions are told
(recall), with intervals of 95 % (Wilson). Of a vault whose pages do not contradict each other, which pairs of
statements on different pages are told all the same.
"""

import argparse
import csv
from collections.abc import Iterator
from functools import partial
from itertools import combinations
from math import sqrt
from pathlib import Path

from memory_wiki.index.analyze import FALLBACK, stem
from memory_wiki.page import frontmatter
from memory_wiki.page.against import How, against
from memory_wiki.page.statement import Statement, statements

Z = 1.96


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--vault", type=Path)
    options = parser.parse_args()
    pairs(options.data)
    if options.vault:
        alarms(options.vault)


def pairs(file: Path) -> None:
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [
            (row["label"] == "CONTRADICTION", told(row["a"], row["b"])) for row in csv.DictReader(lines, delimiter="\t")
        ]
    right = sum(is_one and how is not None for is_one, how in rows)
    print(f"{len(rows):,} pairs, {sum(is_one for is_one, _ in rows):,} contradictions")
    print("precision", share(right, sum(how is not None for _, how in rows)))
    print("recall   ", share(right, sum(is_one for is_one, _ in rows)))
    for how in How:
        marked = [is_one for is_one, found in rows if found == how]
        print(f"  {how}: {len(marked)} told, {sum(marked)} right")


def told(one: str, other: str) -> How | None:
    return next((how for a in stated(one) for b in stated(other) if (how := against(a, b))), None)


def stated(text: str) -> list[Statement]:
    return [*statements(text, partial(stem, language=FALLBACK))]


def share(part: int, whole: int) -> str:
    if not whole:
        return "of none"
    p, n = part / whole, whole
    middle = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    around = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return f"{p:.3f} ({middle - around:.3f} to {middle + around:.3f}), {part} of {whole}"


def alarms(vault: Path) -> None:
    every = [(page, statement) for page in pages(vault) for statement in of(page)]
    count = 0
    for (page, one), (other_page, other) in combinations(every, 2):
        if page != other_page:
            count += 1
            if how := against(one, other):
                print(f"{how}: {page.name}: {one.text}\n        {other_page.name}: {other.text}")
    print(f"{len(every):,} statements, {count:,} pairs on different pages")


def pages(vault: Path) -> Iterator[Path]:
    return (page for page in sorted(vault.rglob("*.md")) if not any(part.startswith(".") for part in page.parts))


def of(page: Path) -> list[Statement]:
    return stated(frontmatter.below(page.read_text(encoding="utf-8", errors="replace")))


if __name__ == "__main__":
    main()
