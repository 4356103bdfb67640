"""How sure an answer is of its passages: the signs, of which `confidence` says what they tell."""

from memory_wiki.index.analyze import Groups, terms
from memory_wiki.index.language import language_of
from memory_wiki.index.words import Words
from memory_wiki.recall.answer import Question
from memory_wiki.recall.confidence import BESIDE, READ, confidence, confidence_across
from memory_wiki.recall.draft import Draft, Group
from memory_wiki.recall.senses import Senses


def chance(question: Question, draft: Draft, words: Words, senses: Senses, nearest: float | None) -> float:
    """How likely it is that the draft holds what was asked for, by the passages in the question's language or by those
    in others, whichever is surer.
    """
    weights, first = words.rarity(draft.asked), draft.groups[:READ]
    said = max((_said(group, draft.asked, weights) for group in first), default=0.0)
    unsaid = words.unsaid(draft.asked) / (len(draft.asked) or 1)
    near = senses.nearness
    if near is None or nearest is None:
        return confidence("", None, (), said, unsaid)
    beside = [cosine for cosine in near.of(near.nearest(BESIDE)) if cosine is not None]
    foreign = near.of(_in_another_language(question, first, said))
    across = max((cosine for cosine in foreign if cosine is not None), default=None)
    return max(
        confidence(senses.model, nearest, beside, said, unsaid),
        0.0 if across is None else confidence_across(senses.model, across, beside),
    )


def _in_another_language(question: Question, first: list[Group], said: float) -> list[int]:
    """The marks of the first passages that are. Where question or passage is too short to tell its language, any is
    taken for one of which no word is said.
    """
    asked = language_of(question.text)
    hits = (group.ranked.hit for group in first)
    return [hit.mark for hit in hits if (hit.language != asked if asked and hit.language else not said)]


def _said(group: Group, asked: Groups, weights: list[float]) -> float:
    """The share of the question's words, the rarer the more, that a passage says."""
    hit = group.ranked.hit
    lines = group.leaf.between(hit.first_line, hit.last_line)
    said = {*terms("\n".join([*lines, hit.title, *hit.headings]), hit.language)}
    return sum(weight for weight, word in zip(weights, asked, strict=True) if not said.isdisjoint(word)) / (
        sum(weights) or 1.0
    )
