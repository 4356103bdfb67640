"""A run of `bench` as text. Pure."""

from collections.abc import Iterator, Sequence

from memory_wiki.bench.report import Figure, Group, Report
from memory_wiki.faces.ink import Ink, count


def report(found: Report, ink: Ink) -> str:
    """Figures with their 95 % intervals, then by kind of question, then what they cost."""
    head = f"{found.dataset}: {count(found.questions, 'question')}, {count(found.pages, 'page')}"
    head += f" in {count(found.vaults, 'vault')}, written in {found.writing_seconds:.1f} s"
    lines = [ink.bold(head), ink.dim(f"  {found.command}"), *(ink.yellow(f"  {note}") for note in found.notes)]
    if found.without_evidence:
        lines.append(ink.yellow(f"  {count(found.without_evidence, 'question')} without usable evidence left out"))
    parts = [lines, *(_table(name, groups, ink) for name, groups in _tables(found) if groups), list(_costs(found, ink))]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _tables(found: Report) -> Iterator[tuple[str, Sequence[Group]]]:
    yield "Retrieval", found.groups
    if found.reader:
        failed = f", {found.reader.failed} failed" if found.reader.failed else ""
        yield f"Answers by {found.reader.model} ({found.reader.answered}{failed})", found.reader.groups


def _table(name: str, groups: Sequence[Group], ink: Ink) -> list[str]:
    whole, *kinds = groups
    lines = [ink.bold(f"{name}, {count(whole.questions, 'question')}")]
    wide = max(len(figure.name) for figure in whole.figures)
    lines += [f"  {figure.name.ljust(wide)}  {_full(figure)}" for figure in whole.figures]
    if len(kinds) > 1:
        wide = max(len(group.kind) for group in kinds)
        cells = [[figure.name for figure in whole.figures], *([_short(f) for f in group.figures] for group in kinds)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        heads = [("by kind", "of"), *((group.kind, str(group.questions)) for group in kinds)]
        rows = (
            f"  {head.ljust(wide)}  {of:>5}  " + "  ".join(map(str.ljust, row, widths))
            for (head, of), row in zip(heads, cells, strict=True)
        )
        head, *rest = (row.rstrip() for row in rows)
        lines += [ink.dim(head), *rest]
    return lines


def _costs(found: Report, ink: Ink) -> Iterator[str]:
    """What is known to be unknown, what fits into a budget, and how long it took."""
    for row in found.unknown:
        line = f"{_number(row.value)}  {_ends(row.low, row.high)}"
        yield f"{ink.bold('AUROC')}  {line}  {row.answerable} answerable, {row.others} {row.against}"
    for kept in found.evidence:
        line = f"{_number(kept.value)}  {_ends(kept.low, kept.high)}  within {kept.budget:,} tokens"
        yield f"{ink.bold('evidence kept')}  {line}, {kept.tokens:,.0f} of them used"
    for took in found.latency:
        line = f"p50 {took.p50:.1f} ms, p95 {took.p95:.1f} ms  {took.what}, {took.tokens:,.0f} tokens an answer"
        yield f"{ink.bold('recall')}  {line}"


def _full(figure: Figure) -> str:
    return f"{_number(figure.value)}  {_ends(figure.low, figure.high)}"


def _short(figure: Figure) -> str:
    return f"{_number(figure.value)} ±{_number((figure.high - figure.low) / 2)}"


def _ends(low: float, high: float) -> str:
    return f"[{_number(low)}, {_number(high)}]"


def _number(value: float) -> str:
    """Three digits of a share, as papers give it."""
    return f"{value:.3f}".removeprefix("0")
