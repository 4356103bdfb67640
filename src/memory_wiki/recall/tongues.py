r"""How six languages speak of time: the phrases that `dates` looks for, as parts of regular expressions. Data only.

What a phrase means is left to the library; a pattern here only says where one begins and ends, so that `may`, `second`
or `1.2.3` is none. In them `{n}` stands for a number, `{y}` for a year, `{d}` for a numeric date.
"""

import re
from dataclasses import dataclass
from functools import cached_property

WEEK, MONTH, YEAR = 7.0, 30.4, 365.25  # days


@dataclass(frozen=True)
class Tongue:
    """One language. `whole` says a time by itself; `bare` (a month, a year, a weekday) only after a word of `at`."""

    code: str
    whole: str
    bare: str
    at: str
    since: str
    after: str
    before: str
    until: str
    between: str
    joint: str
    numbers: dict[str, int]
    units: dict[str, float]
    """A unit's spellings, as an expression, with its days."""
    window: str
    """The last `{n}` `{u}`, up to now."""
    ago: str = "{n} {u}"
    """The phrase the library reads as the beginning of a window."""
    weekend: str = r"(?!)"
    seasons: tuple[str, str, str, str] = (r"(?!)",) * 4
    """Spring first, of the northern half."""
    season: str = r"(?!)"
    """One of them, `{s}`, as it is said."""
    rewrites: tuple[tuple[str, str], ...] = ()
    """What the library does not know, and the same as it knows it."""
    gap: str = r"\s+"
    behind: tuple[str, str, str] = (r"(?!)", r"(?!)", r"(?!)")
    """Words that follow a time and mean before, after and since it."""

    @cached_property
    def number(self) -> str:
        words = "|".join(sorted(self.numbers, key=len, reverse=True))
        return rf"(?:\d{{1,3}}|{words})"

    @cached_property
    def unit(self) -> str:
        return f"(?:{'|'.join(self.units)})"


def _numbers(words: str) -> dict[str, int]:
    """From one on, at each place the words that mean it; `_` is a space."""
    return {word.replace("_", " "): n for n, group in enumerate(words.split(), 1) for word in group.split("/")}


_DAY_EN = r"\d{1,2}(?:st|nd|rd|th)?"
_MAY = r"(?-i:May)|may(?=,?\s+(?:\d|of\b)|\s*[,.;?!)]|\s*$)"
_SHORT_EN = r"(?-i:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?"
_MONTHS_EN = r"(?:january|february|march|april|june|july|august|september|october|november|december)\b"
_DATED_EN = rf"(?:{_MONTHS_EN}|{_MAY}|{_SHORT_EN})"
_WEEKDAYS_EN = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
_LAST_EN = r"(?:last|previous|past|this)"
_SEASONS_EN = ("spring", "summer", "(?:autumn|fall)", "winter")

ENGLISH = Tongue(
    code="en",
    whole=rf"{_DAY_EN}\s+(?:of\s+)?{_DATED_EN}(?:,?\s+{{y}})?|{_DATED_EN}\s+{_DAY_EN}(?![\d:])(?:,?\s+{{y}})?"
    rf"|{_DATED_EN},?\s+(?:of\s+)?{{y}}|(?:the\s+)?day\s+before\s+yesterday|yesterday|today|last\s+night"
    rf"|{_LAST_EN}\s+(?:week|month|year|{_MONTHS_EN}|(?-i:May)\b|{_WEEKDAYS_EN})"
    r"|{n}\s+(?:minutes?|hours?|days?|weeks?|months?|years?)\s+ago|q[1-4](?:,?\s+(?:of\s+)?{y})",
    bare=rf"{_MONTHS_EN}|(?:{_MAY})(?!\s+\d)\b|{_WEEKDAYS_EN}|{{y}}",
    at=r"in|on|during|(?:early|late|mid|beginning\s+of|start\s+of|middle\s+of|end\s+of|all\s+of|throughout)(?:\s+in)?",
    since=r"since|from|starting(?:\s+(?:in|on|from))?",
    after=r"after|later\s+than",
    before=r"before|prior\s+to|earlier\s+than",
    until=r"until|till|up\s+to|by",
    between="between|from",
    joint="and|to|until|till|through",
    numbers=_numbers(
        "a/an/one two/a_couple_of/couple three/a_few/few four/several five six seven eight nine ten eleven twelve"
    ),
    units={"minutes?": 0.0, "hours?": 0.0, "days?": 1.0, "weeks?": WEEK, "months?": MONTH, "years?": YEAR},
    window=r"(?:last|past|previous)\s+{n}\s+{u}",
    ago="{n} {u} ago",
    weekend=r"(?:last|this|past|previous)\s+weekend",
    seasons=_SEASONS_EN,
    season=r"(?:last|this|past|previous)\s+{s}|{s}(?:\s+of)?\s+{y}",
    rewrites=((rf"{_LAST_EN} (?!week|month|year)", ""), (r"previous |past ", "last "), (r"the |of ", "")),
)

_MONTHS_DE = r"(?:januar|jänner|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b"
_LAST_DE = r"(?:letzt|vorig|vergangen)(?:e[nmrs]?)"
GERMAN = Tongue(
    code="de",
    whole=rf"\d{{1,2}}\.\s?{_MONTHS_DE}(?:\s+{{y}})?|{_MONTHS_DE}\s+{{y}}|vorgestern|gestern|heute"
    rf"|(?:{_LAST_DE}|diese[nmrs]?)\s+(?:woche|monats?|jahr(?:e?s)?)|(?:{_LAST_DE})\s+(?:{_MONTHS_DE}|\w+tag\b"
    rf"|mittwoch)"
    r"|vor\s+{n}\s+(?:minuten?|stunden?|tag(?:en)?|wochen?|monat(?:en)?|jahr(?:en)?)",
    bare=rf"{_MONTHS_DE}|(?:mon|diens|donners|frei|sams|sonn)tag\b|mittwoch\b|{{y}}",
    at=r"im(?:\s+jahre?)?|in|am|anfang|ende|mitte|während|des\s+jahres",
    since=r"seit(?:\s+(?:dem|anfang|ende))?|ab(?:\s+dem)?",
    after=r"nach(?:\s+dem)?",
    before=r"vor(?:\s+dem)?",
    until=r"bis(?:\s+(?:zum|ende))?",
    between="zwischen|von|vom",
    joint="und|bis|bis zum",
    numbers=_numbers(
        "ein/eine/einen/einem/einer zwei/zweien/paar/ein_paar/einem_paar drei vier fünf sechs sieben acht neun"
        " zehn elf zwölf"
    ),
    units={"minuten?": 0.0, "stunden?": 0.0, "tag(?:en?)?": 1.0, "wochen?": WEEK, "monat(?:en?)?": MONTH,
           "jahr(?:en?)?": YEAR},
    window=r"(?:letzten|vergangenen)\s+{n}\s+{u}",
    ago="vor {n} {u}",
    weekend=rf"(?:{_LAST_DE}|diese[ms]?)\s+wochenende",
    seasons=("frühling|frühjahr", "sommer", "herbst", "winter"),
    season=r"(?:letzt|vorig|vergangen|diese)\w{0,2}\s+{s}|{s}\s+{y}",
    rewrites=(
        (rf"{_LAST_DE} woche", "letzte woche"),
        (rf"{_LAST_DE} monats?", "letzten monat"),
        (rf"{_LAST_DE} jahre?s?", "letztes jahr"),
        (r"diese\w? woche", "diese woche"),
        (r"diese\w? monats?", "diesen monat"),
        (r"diese\w? jahre?s?", "dieses jahr"),
        (rf"{_LAST_DE} (?!woche|monat|jahr)", ""),
    ),
)  # fmt: skip

_MONTHS_FR = r"(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b"
_WEEKDAYS_FR = r"(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b"
FRENCH = Tongue(
    code="fr",
    whole=rf"\d{{1,2}}(?:er)?\s+{_MONTHS_FR}(?:\s+{{y}})?|{_MONTHS_FR}\s+{{y}}|avant[- ]hier|hier\b|aujourd['’]hui"
    r"|(?:la\s+)?semaine\s+(?:dernière|passée)|(?:le\s+)?mois\s+(?:dernier|passé)|l['’](?:an"
    r"|année)\s+(?:dernière?|passée?)"
    rf"|cette\s+semaine|ce\s+mois(?:-ci)?|cette\s+année|(?:{_WEEKDAYS_FR}|{_MONTHS_FR})\s+(?:dernier|passé)"
    r"|il\s+y\s+a\s+{n}\s+(?:minutes?|heures?|jours?|semaines?|mois|ans?)\b",
    bare=rf"{_MONTHS_FR}|{_WEEKDAYS_FR}|{{y}}",
    at=r"en|au\s+mois\s+de|début|fin|mi-?|le|courant|pendant|durant",
    since=r"depuis(?:\s+le)?|à\s+partir\s+(?:de|du)",
    after=r"après(?:\s+le)?",
    before=r"avant(?!\s+hier)(?:\s+le)?",
    until=r"jusqu['’](?:en|au|à)",
    between="entre(?: le)?|de|du",
    joint="et(?: le)?|à|au",
    numbers=_numbers("un/une deux trois/quelques quatre cinq six sept huit neuf dix onze douze"),
    units={"minutes?": 0.0, "heures?": 0.0, "jours?": 1.0, "semaines?": WEEK, "mois": MONTH, "ans?": YEAR},
    window=r"(?:{n}\s+derni(?:er|ère)s\s+{u}|dern(?:ier|ière)s\s+{n}\s+{u})",
    ago="il y a {n} {u}",
    weekend=r"week-?end\s+(?:dernier|passé)",
    seasons=("printemps", "été", "automne", "hiver"),
    season=r"(?:l['’]|le\s+)?{s}\s+(?:dernier|passé)|cet?\s+{s}|{s}\s+{y}",
    rewrites=(
        (r"(?:la )?semaine (?:dernière|passée)", "la semaine dernière"),
        (r"(?:le )?mois (?:dernier|passé)", "le mois dernier"),
        (r"l['’](?:an|année) (?:dernière?|passée?)", "l'année dernière"),
        (r"ce mois(?:-ci)?", "ce mois-ci"),
        (r"avant hier", "avant-hier"),
        (r"(?<!mois)(?<!année)(?<!semaine) (?:dernier|passé)$", ""),
        (r"’", "'"),
    ),
)

_MONTHS_ES = r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre)\b"
_WEEKDAYS_ES = r"(?:lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo)\b"
SPANISH = Tongue(
    code="es",
    whole=rf"\d{{1,2}}\s+de\s+{_MONTHS_ES}(?:\s+del?\s+{{y}})?|{_MONTHS_ES}\s+(?:del?\s+)?{{y}}|anteayer|ayer\b|hoy\b"
    r"|(?:la\s+)?semana\s+pasada|(?:la\s+)?[úu]ltima\s+semana|(?:el\s+)?mes\s+pasado|(?:el\s+)?[úu]ltimo\s+mes"
    rf"|(?:el\s+)?año\s+pasado|esta\s+semana|este\s+mes|este\s+año|(?:{_WEEKDAYS_ES}|{_MONTHS_ES})\s+pasado"
    r"|hace\s+{n}\s+(?:minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?)\b",
    bare=rf"{_MONTHS_ES}|{_WEEKDAYS_ES}|{{y}}",
    at=r"en|el|a\s+(?:principios|finales|mediados)\s+de|durante",
    since=r"desde(?:\s+el)?|a\s+partir\s+del?",
    after=r"después\s+del?",
    before=r"antes\s+del?",
    until=r"hasta(?:\s+el)?",
    between="entre(?: el)?|de|del|desde(?: el)?",
    joint="y(?: el)?|a|al|hasta(?: el)?",
    numbers=_numbers(
        "un/una/uno dos/un_par_de tres/unos_pocos/unas_pocas cuatro cinco seis siete ocho nueve diez once doce"
    ),
    units={"minutos?": 0.0, "horas?": 0.0, "d[ií]as?": 1.0, "semanas?": WEEK, "mes(?:es)?": MONTH, "años?": YEAR},
    window=r"(?:[úu]ltim[oa]s\s+{n}\s+{u}|{n}\s+[úu]ltim[oa]s\s+{u})",
    ago="hace {n} {u}",
    weekend=r"fin\s+de\s+semana\s+pasado|pasado\s+fin\s+de\s+semana|[úu]ltimo\s+fin\s+de\s+semana",
    seasons=("primavera", "verano", "otoño", "invierno"),
    season=r"{s}\s+pasad[oa]|est[ea]\s+{s}|{s}\s+(?:del?\s+)?{y}",
    rewrites=(
        (r"(?:la )?(?:semana pasada|[úu]ltima semana)", "la semana pasada"),
        (r"(?:el )?(?:mes pasado|[úu]ltimo mes)", "el mes pasado"),
        (r"(?:el )?año pasado", "el año pasado"),
        (r"(?<!mes)(?<!año) pasado$", ""),
    ),
)

_MONTHS_RU = r"(?:(?:январ|феврал|апрел|июн|июл|сентябр|октябр|ноябр|декабр)[ьяею]|(?:март|август)[ае]?|ма[йяе])\b"
_WEEKDAYS_RU = r"(?:понедельник[а]?|вторник[а]?|сред[уаы]|четверг[а]?|пятниц[уаы]|суббот[уаы]|воскресень[ея])\b"
RUSSIAN = Tongue(
    code="ru",
    whole=rf"\d{{1,2}}\s+{_MONTHS_RU}(?:\s+{{y}}(?:\s+года)?)?|{_MONTHS_RU}\s+{{y}}(?:\s+года)?|позавчера|вчера|сегодня"
    r"|(?:на\s+)?(?:прошло|эт)[йо]й?\s+неделе|(?:в\s+)?(?:прошло|это)м\s+(?:месяце|году)"
    rf"|(?:в\s+)?прошл(?:ый|ую|ое|ом|ой)\s+(?:{_WEEKDAYS_RU}|{_MONTHS_RU})|{{y}}\s+год[ау]?\b"
    r"|(?:{n}\s+)?(?:минут[уы]?|час(?:а|ов)?|день|дня|дней|недел[юиь]|месяц(?:а|ев)?|год|года|лет)\s+назад",
    bare=rf"{_MONTHS_RU}|{_WEEKDAYS_RU}|{{y}}",
    at=r"во?|в\s+начале|в\s+конце|в\s+середине|за",
    since=r"со?|начиная\s+с",
    after=r"после",
    before=r"до|перед",
    until=r"по",
    between="между|с",
    joint="и|до|по",
    numbers=_numbers(
        "один/одну/одна два/две/пару три/несколько четыре пять шесть семь восемь девять десять одиннадцать"
        " двенадцать"
    ),
    units={"минут[уы]?": 0.0, "час(?:а|ов)?": 0.0, "день|дня|дней": 1.0, "недел[юиь]": WEEK, "месяц(?:а|ев)?": MONTH,
           "год|года|лет": YEAR},
    window=r"последн(?:ие|их)\s+{n}\s+{u}",
    ago="{n} {u} назад",
    weekend=r"(?:на\s+)?(?:прошл|эт)(?:ых|ые|их|и)\s+выходны[хе]",
    seasons=("весн(?:ой|а|ы|у)", "лет(?:ом|о|а)", "осень(?:ю)?", "зим(?:ой|а|ы|у)"),
    season=r"(?:прошл|эт)\w{2,3}\s+{s}|{s}\s+{y}(?:\s+года)?",
    rewrites=(
        (r"(?:на )?прошлой неделе", "на прошлой неделе"),
        (r"(?:на )?этой неделе", "на этой неделе"),
        (r"(?:в )?(прошло|это)м (месяце|году)", r"в \1м \2"),
        (r"(?:в )?прошл\w+ (?!недел|месяц|году)", ""),
        (r"\b(январ|феврал|апрел|июн|июл|сентябр|октябр|ноябр|декабр)[ею]\b", r"\1я"),
        (r"\b(март|август)е\b", r"\1а"),
        (r"\bмае\b", "мая"),
        (r" год[ау]?$", ""),
        (r"\b(понедельник|вторник|четверг)а\b", r"\1"),
        (r"\b(сред|суббот)ы\b", r"\1а"),
        (r"\bпятницы\b", "пятница"),
        (r"\bвоскресенья\b", "воскресенье"),
    ),
)  # fmt: skip

_ZH_MONTH = r"(?:1[0-2]|[1-9]|十[一二]|[一二三四五六七八九十])月份?"
CHINESE = Tongue(
    code="zh",
    whole=rf"{{y}}\s?年(?:{_ZH_MONTH}(?:\d{{1,2}}[日号])?)?|{_ZH_MONTH}\d{{1,2}}[日号]|[昨今前]天|去年|今年"
    r"|[上本这]个?(?:周|星期|礼拜)[一二三四五六日天]?(?!末)|[上本这]个?月|(?<![一二三四五六七八九十百\d])(?:{n})"
    r"(?:分钟|个?小时|天|周|个?星期|个?月|年)(?:以|之)?前",
    bare=rf"{_ZH_MONTH}|(?:周|星期|礼拜)[一二三四五六日天]",
    at=r"在|于|从|自从?|到|直到|",
    since=r"(?!)",
    after=r"(?!)",
    before=r"(?!)",
    until=r"(?!)",
    between="从|在|",
    joint="到|至|和|与",
    numbers=_numbers("一 二/两 三/几 四 五 六 七 八 九 十 十一 十二"),
    units={"分钟": 0.0, "个?小时": 0.0, "天": 1.0, "周|个?星期|个?礼拜": WEEK, "个?月": MONTH, "年": YEAR},
    window=r"(?:最近|过去)的?{n}{u}",
    ago="{n}{u}前",
    weekend=r"[上本这]个?周末",
    seasons=("春[天季]", "夏[天季]", "秋[天季]", "冬[天季]"),
    season=r"(?:[去今]年|{y}\s?年)的?{s}",
    rewrites=(
        (r"上个?(?:周|星期|礼拜)\w?", "上周"),
        (r"[本这]个?(?:周|星期|礼拜)\w?", "本周"),
        (r"上个?月", "上个月"),
        (r"[本这]个?月", "本月"),
        (r"(?:以|之)前", "前"),
        (r"月份", "月"),
        (r"号", "日"),
        (r"个?星期(?=前)", "周"),
        (r"(?<=\d)月(?=前)", "个月"),
        (r"(?<=\d) (?=年)", ""),(r"^(\d{4})年$", r"\1"),
    ),
    gap=r"\s*",
    behind=("(?:以|之)?前", "(?:以|之)?后", "以来"),
)  # fmt: skip

TONGUES = {tongue.code: tongue for tongue in (ENGLISH, GERMAN, FRENCH, SPANISH, RUSSIAN, CHINESE)}


def days_of(tongue: Tongue, number: str, unit: str) -> float:
    """`two`, `weeks` → 14."""
    said = number.casefold()
    count = int(said) if said.isdecimal() else tongue.numbers.get(" ".join(said.split()), 1)
    return count * next((days for name, days in tongue.units.items() if re.fullmatch(name, unit, re.IGNORECASE)), 0.0)
