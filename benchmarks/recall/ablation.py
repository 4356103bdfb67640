"""What each part of recall is worth: a dataset is asked with all of them, and again without each.

    python benchmarks/recall/ablation.py beam --data beam_100k.json
    python benchmarks/recall/ablation.py locomo --data locomo10.json --mode best --parts rerank near
    python benchmarks/recall/ablation.py questions --data VAULT --questions benchmarks/recall/questions/foam.tsv

Each vault is written, indexed and embedded once, by the real write path, and asked all ways one after another, so that
the figures may be compared. Prints Markdown: the measures with all parts, and by how much each changes without one.
Every figure is of the same questions; what changes by less than one question in a hundred is noise.
"""

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from memory_wiki.bench.asking import Asker, Heard, Ways
from memory_wiki.bench.datasets import load
from memory_wiki.bench.measures import MEASURES
from memory_wiki.bench.report import groups
from memory_wiki.bench.run import Wanted, chosen
from memory_wiki.bench.vaults import written
from memory_wiki.index.index import silent
from memory_wiki.recall.effort import Effort
from memory_wiki.recall.rank import PARTS
from memory_wiki.wiki.chance import Chance


def main() -> None:
    options = arguments()
    dataset = load(options.dataset, options.data, options.questions)
    ways = {part: Ways((), Effort(options.mode), frozenset({part} - {""})) for part in ("", *options.parts)}
    cases = chosen(dataset, Wanted(str(options.data), "", ways[""], options.limit))
    measures = MEASURES[dataset.name]
    heard: defaultdict[str, list[Heard]] = defaultdict(list)
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        for number, case in enumerate(cases):
            with written(case.source, Path(home) / str(number), Chance(), silent) as vault:
                for part, way in ways.items():
                    asker = Asker(vault.wiki, vault.places, way, measures[0].level, None)
                    heard[part] += asker.hear(case.asks, lambda: None)
                    print(f"{number + 1} of {len(cases)} without {part or 'nothing'}", file=sys.stderr)
    tables = {part: groups(each, measures)[0].figures for part, each in heard.items()}
    whole = tables[""]
    print("| without | " + " | ".join(figure.name for figure in whole) + " |")
    print("|---" * (1 + len(whole)) + "|")
    for part, figures in tables.items():
        cells = [
            f"{f.value:.3f}" if not part else f"{f.value - w.value:+.3f}" for f, w in zip(figures, whole, strict=True)
        ]
        print(f"| {part or 'nothing'} | " + " | ".join(cells) + " |")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", choices=sorted(MEASURES))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--mode", choices=[each.value for each in Effort], default="fast")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, metavar="PART")
    parser.add_argument("--limit", type=int, help="at most so many questions")
    return parser.parse_args()


if __name__ == "__main__":
    main()
