"""How sure an answer is of its passages: the signs, of which `confidence` says what they tell."""

from memory_wiki.index.analyze import terms
from memory_wiki.index.language import language_of
from memory_wiki.index.words import Words
from memory_wiki.recall.answer import Question
from memory_wiki.recall.confidence import BESIDE, COVERING, confidence, confidence_across
from memory_wiki.recall.draft import Draft
from memory_wiki.recall.senses import Senses


def chance(question: Question, draft: Draft, words: Words, senses: Senses, nearest: float | None) -> float:
    """How likely it is that the draft holds what was asked for, by the passages in the question's language or by those
    in others, whichever is surer.
    """
    coverage = _coverage(draft, words)
    return max(confidence(senses.model, nearest, coverage), _across(question, draft, senses, coverage))


def _across(question: Question, draft: Draft, senses: Senses, coverage: float) -> float:
    near = senses.nearness
    if near is None:
        return 0.0
    cosines = [cosine for cosine in near.of(_in_another_language(question, draft, coverage)) if cosine is not None]
    if not cosines:
        return 0.0
    beside = [cosine for cosine in near.of(near.nearest(BESIDE)) if cosine is not None]
    return confidence_across(senses.model, max(cosines), beside)


def _in_another_language(question: Question, draft: Draft, coverage: float) -> list[int]:
    """The marks of the first passages that are. Where question or passage is too short to tell its language, any is
    taken for one of which no word is said.
    """
    asked = language_of(question.text)
    hits = (group.ranked.hit for group in draft.groups[:COVERING])
    return [hit.mark for hit in hits if (hit.language != asked if asked and hit.language else not coverage)]


def _coverage(draft: Draft, words: Words) -> float:
    """The share of the question's words, the rarer the more, that the first passages of an answer say."""
    said: set[str] = set()
    for group in draft.groups[:COVERING]:
        hit = group.ranked.hit
        lines = group.leaf.between(hit.first_line, hit.last_line)
        said.update(terms("\n".join([*lines, hit.title, *hit.headings]), hit.language))
    weights = words.rarity(draft.asked)
    covered = sum(weight for weight, word in zip(weights, draft.asked, strict=True) if not said.isdisjoint(word))
    return covered / (sum(weights) or 1.0)
