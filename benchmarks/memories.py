"""Memories made up for measuring: the same ones for the same seed, in English and, one in four, in German.

Words are drawn by Zipf's law from 18,000 of a language: some 200 everyday ones first, then compounds of two of them.
So a few words are on most pages and most words on a few, as in real texts, which is what a search's cost depends on.
"""

from dataclasses import dataclass
from itertools import accumulate
from random import Random
from zlib import crc32

from memory_wiki.page.memory import Memory
from memory_wiki.wiki.remembering import Wish

PROJECTS = 40
VOCABULARY = 18_000
TYPES = ("decision", "fact", "error", "procedure", "requirement", "prompt", "note", "handoff")
TAGS = (
    "db",
    "api",
    "deploy",
    "incident",
    "limits",
    "security",
    "tests",
    "frontend",
    "billing",
    "search",
    "ops",
    "data",
)
CATEGORIES = ("fact", "decision", "cause", "fix", "check", "limit")

ENGLISH = """
the of and to in is a for that it with as on are by we this from be at or an not have was but they when which
one all if so were will can no more after before only then must never again while because each order service database
connection pool limit queue worker retry timeout index commit branch merge latency cache deploy token page agent memory
session user account payment invoice customer report request answer error warning log trace metric alert night morning
release version migration schema table column row key value lock thread process server client machine disk network
region backup restore snapshot copy file folder path name title note project decision rule reason cause fix test check
review change plan step list item number size rate price cost currency cent amount order parcel label carrier address
country language text word search result score rank filter sort field form button screen window menu link image font
color layout style theme state event message topic stream batch job schedule clock hour day week month year window
start stop read write open close send receive load save build run keep drop move add remove set get find show hide
allow refuse accept reject wait sleep wake fail crash recover repeat skip count measure compare choose prefer avoid
replace rename rewrite parse render encode decode encrypt sign verify hash compress split join group order small large
fast slow old new first last next empty full stable broken public private local remote shared single double
"""
GERMAN = """
der die und das in von zu den mit ist auf für nicht ein eine als auch es an werden aus er hat dass sie nach
wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein
wurde wenn kann sich immer wieder niemals weil zuerst danach bestellung dienst datenbank verbindung grenze warteschlange
wiederholung zweig fehler warnung antwort anfrage sitzung nutzer konto zahlung rechnung kunde bericht nacht morgen
fassung tabelle spalte zeile schlüssel wert sperre rechner platte netz sicherung kopie datei ordner name titel notiz
projekt entscheidung regel grund ursache lösung prüfung änderung plan schritt liste zahl größe preis kosten betrag
paket aufkleber anschrift land sprache text wort suche ergebnis feld knopf fenster bild farbe zustand ereignis
nachricht strom auftrag uhr stunde tag woche monat jahr lesen schreiben öffnen schließen senden laden bauen behalten
verwerfen verschieben löschen finden zeigen erlauben ablehnen warten scheitern messen vergleichen wählen vermeiden
klein groß schnell langsam alt neu leer voll stabil kaputt
"""


@dataclass(frozen=True, slots=True)
class Language:
    """Words, the most frequent first, and the running sum of how often each is."""

    words: tuple[str, ...]
    weights: tuple[float, ...]

    @staticmethod
    def of(text: str) -> "Language":
        distinct = dict.fromkeys(text.split())
        content = [word for word in distinct if len(word) > 3]  # noqa: PLR2004 - of a compound: no articles
        compounds = [first + second for first in content for second in content if first != second]
        Random(0).shuffle(compounds)  # noqa: S311 - nothing secret
        every = list(dict.fromkeys([*distinct, *compounds]))[:VOCABULARY]
        return Language(tuple(every), tuple(accumulate(1 / rank for rank in range(1, len(every) + 1))))


LANGUAGES = (Language.of(ENGLISH), Language.of(GERMAN))


def own_word(name: str, number: int) -> str:
    """A word that no vocabulary has, another for each name and number; of letters alone, so that search keeps it whole.

    Syllables `ba` to `zu`; the `q` before them and the `x` after keep it from having the stem of another.
    """
    syllables = [f"{consonant}{vowel}" for consonant in "bdfgklmnprtvz" for vowel in "aiou"]
    text = ""
    rest = number * 2**32 + crc32(name.encode())
    while rest:
        rest, digit = divmod(rest, len(syllables))
        text += syllables[digit]
    return f"q{text}x"


class Author:
    """Writes memories one after another; each has in its text a word that no other has."""

    def __init__(self, name: str) -> None:
        """`name` is also the seed: authors of different names write different memories."""
        self._name = name
        self._chance = Random(name)  # noqa: S311 - nothing secret
        self._number = 0

    def wish(self) -> tuple[Wish, str]:
        """A memory of one of the projects, and its own word."""
        self._number += 1
        own = own_word(self._name, self._number)
        return Wish(self._memory(own), f"project {self._chance.randrange(PROJECTS):02}"), own

    def _memory(self, own: str) -> Memory:
        chance = self._chance
        language = LANGUAGES[chance.random() < 1 / 4]
        title = " ".join(self._words(language, chance.randint(3, 7))).capitalize()
        body = self._prose(language, chance.randint(30, 100))
        facts = [self._fact(language) for _ in range(chance.randint(1, 2))]
        text = f"{body}\nThe ticket is {own}.\n\n" + "".join(facts)
        tags = tuple(chance.sample(TAGS, chance.randint(1, 3)))
        return Memory(text, title=title, type=chance.choice(TYPES), tags=tags)

    def _fact(self, language: Language) -> str:
        claim = " ".join(self._words(language, self._chance.randint(6, 14))).capitalize()
        number = self._chance.randrange(36**3)
        return f"- [{self._chance.choice(CATEGORIES)}] {claim} {number % 1000} ^f{number:05x}\n"

    def _prose(self, language: Language, count: int) -> str:
        """Sentences of some twelve words, two to a line."""
        words = self._words(language, count)
        sentences = [" ".join(words[start : start + 12]).capitalize() + "." for start in range(0, count, 12)]
        return "\n".join(" ".join(sentences[start : start + 2]) for start in range(0, len(sentences), 2))

    def _words(self, language: Language, count: int) -> list[str]:
        return self._chance.choices(language.words, cum_weights=language.weights, k=count)
