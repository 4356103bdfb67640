"""Whether a text asks for something from now on: `always use tabs`, `I prefer short answers`. Pure.

Told from the shape of a sentence: an order or a wish of the one who speaks. What is so (`the server always restarts`)
and what was (`I never went to Paris`) asks for nothing. A sentence that may be read in both ways is no request.
"""

import re
from functools import cache

from memory_wiki.page.sentences import is_question, sentences

MOST_SENTENCES = 3
MOST_CHARACTERS = 600
"""A longer text is more than an instruction, even if it begins with one."""
LATEST_WISH = 80
"""Characters in which a text says what it wishes, if that is all it says: `I'm new to this, so I prefer …`."""

_PAST = (
    "went had did was were been saw got knew made thought came took found gave said told felt left kept ran"
    " read began wrote won"
    " met lost paid sent built meant understood heard held stood broke spoke chose drove grew seen gone done"
    " taken known given broken written shown spoken chosen driven grown"
)
_NO_VERB = (
    "mind again a an the my our his her their this that these those there because good bad right wrong better"
    " best enough on at"
    " for so as if when it i we he she they you has is are have had could would should will can may might must"
    " works ever here there happy glad keen ready open up around sure"
)
# The next word is the verb of an order: neither a third person's, nor a past one, nor none at all.
_VERB = (
    rf"(?!(?:{'|'.join((_PAST + ' ' + _NO_VERB).split())})\b)"
    r"(?!(?!(?:need|feed|embed|seed|speed|proceed|exceed|succeed)\b)\w+ed\b)(?!(?!(?:bring|string|ring|sing"
    r"|ping)\b)\w{2,}ing\b)"
    r"(?!(?!(?:focus|alias|bias)\b|\w+ss\b)\w+s\b)\w"
)
_LEAD = (
    r"(?:(?:and|also|but|so|ok(?:ay)?|hey|hi|btw|by the way|note|important|rule|reminder|thanks|please|kindly"
    r"|from now on|going forward"
    r"|in (?:the )?future|for (?:the )?future(?: reference)?|remember|just|again|one more thing|in general)[,:!]?\s+)*"
)
_I = (
    r"\b(?:i|we)(?:\s+(?:really|strongly|usually|generally|always|also|still|much|would|do|just|personally|typically))*"
)
_ASKED = (
    r"(?:when(?:ever)?|if|every\s+time|each\s+time|any\s*time)\s+i\s+(?:ask|request|inquire|want|need|mention|say"
    r"|talk|am|'m)\b"
)
_EVER = r"(?:always|never|every\s+time|whenever|when\s+i\b|from\s+now\s+on|in\s+all|in\s+every|at\s+all\s+times)"
_PLAINLY = re.compile(
    r"\b(?:always|never|from\s+(?:now|here)\s+on|immer|nie(?:mals)?|ab\s+jetzt|toujours|jamais|désormais|siempre|nunca"
    r"|de\s+ahora\s+en\s+adelante|всегда|никогда|отныне|впредь)\b|总是|永远|以后|从现在",
    re.IGNORECASE,
)
_HABIT = (
    r"(?:answers?|responses?|repl(?:y|ies)|code|explanations?|summar(?:y|ies)|documents?|commits?|messages?"
    r"|examples?|emails?)"
)

_ORDERS = (
    rf"{_LEAD}(?:always|never(?:\s+ever)?)\s+{_VERB}",
    rf"{_LEAD}(?:do\s+not|don['’]?t)\s+ever\s+\w",
    r"(?:\w+[,:]?\s+){0,3}please,?\s+(?:do\s+not|don['’]?t|never|always|avoid|stop)\s+(?!hesitate|worry|mind)\w",
    rf"{_LEAD}(?:make\s+sure|be\s+sure|ensure|see\s+to\s+it)\s+(?:.{{0,80}}\b)?{_EVER}",
    rf"{_LEAD}remember\s+to\s+\w|{_LEAD}(?:don['’]?t|do\s+not|never)\s+forget\s+to\s+\w",
    (
        r"(?:from\s+(?:now|here)\s+on|going\s+forward|in\s+(?:the\s+)?future|henceforth),?\s+(?!(?:the|a|an|it|this"
        r"|that|our|my|he|she|they|there"
        r"|what|will|i\s+(?:will|am|have)|we\s+(?:will|are|have))\b)\w"
    ),
    (
        rf"(?!.*\bhappen)(?:{_LEAD})(?:i\s+(?:want|need)\s+|use\s+|give\s+|keep\s+|write\s+|include\s+|format\s+"
        rf"|answer\s+|reply\s+).*\bfrom\s+now\s+on\b"
    ),
    rf"{_LEAD}{_ASKED}[^,]*,\s*(?:then\s+)?(?:please\s+|always\s+|never\s+|you\s+(?:should|must)\s+)*{_VERB}",
    rf"{_LEAD}{_VERB}[^,]*\s(?:whenever|every\s+time|each\s+time|any\s*time)\s+(?:i|you)\b",
    # German
    (
        r"(?:bitte\s+)?(?!(?:habe|hatte|wurde|konnte|wollte|musste|eine|diese|alle|viele|ohne|sie|wie)\b)(?:\w+e"
        r"|nimm|gib|schreib|mach|lies|sprich"
        r"|nenn|zeig|sag|halt)\s+(?:mir\s+)?(?:bitte\s+)?(?:immer|stets|nie|niemals)\s"
    ),
    r"(?:bitte\s+)?(?:immer|stets|niemals|nie)\s+(?!(?:wieder|noch|mehr|war|hat)\b).*\w(?:en|ern|eln)[.!]*$",
    (
        r"(?:ab\s+(?:jetzt|sofort|heute)|von\s+nun\s+an|künftig|zukünftig|in\s+zukunft)\s+(?!(?:läuft|ist|sind|wird"
        r"|werden|hat|gibt)\b)\w"
    ),
    r"bitte\s+(?:nicht|keine?\w*|nie|niemals)\s|(?:denk\w*\s+(?:immer\s+)?daran|vergiss\s+(?:nicht|nie))\b",
    r"(?:immer\s+)?wenn\s+ich\b.*\b(?:frage|bitte|will|möchte),\s*\w",
    # French
    (
        r"(?:s['’]il\s+(?:te|vous)\s+pla[iî]t,?\s+)?(?!(?:il|elle|on|le|les|ils|elles|c['’]est|est|vous|nous|tous"
        r"|mais|très|plus|pas)\b)\w+(?:e|ez|s)\s+toujours\s"
    ),
    (
        r"(?:s['’]il\s+(?:te|vous)\s+pla[iî]t,?\s+)?(?:ne\s+\w+\s+(?:plus\s+)?jamais|n['’]\w+\s+(?:plus\s+)?jamais"
        r"|(?:ne\s+)?jamais\s+\w+(?:er|ir|re)\b"
        r"|toujours\s+\w+(?:er|ir|re)\b)"
    ),
    (
        r"(?:à\s+partir\s+de\s+maintenant|désormais|dorénavant),?\s+(?!(?:le|la|les|il|elle|on|un|une)\b)\w"
        r"|n['’]oublie[zs]?\s+(?:pas|jamais)\s+d"
    ),
    r"(?:quand|lorsque|chaque\s+fois\s+que)\s+je\b.*\bdemande[^,]*,\s*\w",
    # Spanish
    (
        r"(?:por\s+favor,?\s+)?(?:siempre|nunca(?:\s+jamás)?)\s+(?!(?:se|me|le|lo|la|el|los|nos|te|ha|he|han|hay|es"
        r"|está|son|fue|fui|era|hice|tuve|pude|vi|supe|que)\b"
        r"|\w+(?:[éó]|aba|aban|ía|ían|aron|ieron|iste|aste)\b)\w+(?:a|e|as|es|an|en|[aei]r)\b"
    ),
    r"(?:por\s+favor,?\s+)?(?:us|utilic|incluy|respond|escrib|muestr|contest|d|hac|añad)\w{0,3}\s+siempre\s",
    (
        r"(?:a\s+partir\s+de\s+ahora|de\s+ahora\s+en\s+adelante),?\s+(?!(?:el|la|los|las|un|una)\s)\w"
        r"|no\s+olvides\s|recuerda\s+\w+[aei]r\b|por\s+favor,?\s+no\s+\w"
    ),
    r"(?:cuando|cada\s+vez\s+que)\s+(?:te\s+)?(?:pregunt|pid)\w*[^,]*,\s*\w",
    # Russian
    (
        r"(?:пожалуйста,?\s+)?(?:всегда|никогда\s+не)\s+\w+(?:й|йте|и|ите|ь|ьте)\b"
        r"|(?:пожалуйста,?\s+)?(?:не\s+)?\w+(?:й|йте|и|ите)\s+(?:всегда|никогда)\b"
    ),
    (
        r"(?:отныне|впредь|с\s+этого\s+момента|в\s+дальнейшем),?\s+\w|(?:не\s+забывай|не\s+забудь|помни)\w*,?\s+\w"
        r"|пожалуйста,?\s+(?:больше\s+)?не\s+\w"
    ),
    r"(?:когда|если|каждый\s+раз,?\s+когда)\s+я\s+(?:спрашиваю|спрошу|прошу)\b[^,]*,\s*\w",
    # Chinese
    (
        r"(?:请|請)(?:你)?(?:总是|始终|永远|务必|一律|每次|不要|别|勿)|(?:以后|今后|从现在(?:开始|起))[，,]?(?:请|都|不要|别|总是|始终|一律|用|回答)|(?:永远|千万"
        r"|绝对|绝)(?:不要|别|不能)"
    ),
    (
        r"(?:总是|始终|一律|务必)(?:用|使用|以|把|给|在|回答|显示|写|提供|先|包含|包括)|(?:当|每当|每次)?我(?:问|询问|提到|要求).{0,30}[时候，,].{0,4}(?:请|要|都"
        r"|总是|必须|应)"
    ),
)
"""How an order begins: a sentence, or what is said after its lead-in."""

_WISHES = (
    (
        rf"{_I}\s+(?:prefer|favou?r)\b|\b(?:i|we)['’]?(?:d|\s+would|ve\s+always)\s+(?:much\s+|really\s+"
        rf"|always\s+)?(?:prefer(?:red)?|rather)\b"
    ),
    (
        rf"\bmy\s+(?:strong\s+|general\s+)?preference\b|{_I}\s+(?:like|love|want)\s+(?:(?:my|your"
        rf"|all)\s+)+{_HABIT}\s+(?:to\b|when\b|in\b|with\b|as\b|short\b|brief\b|\w+ed\b)"
    ),
    (
        rf"\bi['’]?d\s+like\s+(?:(?:my|your|all)\s+)+{_HABIT}\b|\bi\s+like\s+(?:my|your)\s+\w+\s+(?:to\s+be|in|with"
        rf"|as|short|brief|concise|simple)\b"
    ),
    (
        r"\bi\s+(?:don['’]?t|do\s+not|never)\s+(?:want|like)\s+(?:you\s+to|it\s+when\s+you|to\s+see)\b"
        r"|\bi\s+(?:hate|dislike)\s+(?:it\s+)?when\s+you\b"
    ),
    (
        rf"\bi(?:\s+(?:want|need|expect|always\s+want)|['’]d\s+like|\s+would\s+like)\s+you\s+to\s+(?=.*\b{_EVER}"
        rf"|be\b|keep\b|use\b|avoid\b|include\b|answer\b|write\b|format\b|call\b)"
    ),
    (
        r"\bich\s+(?:bevorzuge|mag\s+(?:es|meine|lieber)|möchte\s+(?:lieber|nicht,\s+dass\s+du|dass\s+du)"
        r"|hätte\s+(?:gerne?|lieber)|will,?\s+dass\s+du)\b|\bich\s+ziehe\b.*\bvor\b|\bmir\s+(?:ist|sind"
        r"|wäre)\b.*\blieber\b"
    ),
    (
        r"\bje\s+(?:préfère|préférerais|voudrais\s+que\s+(?:tu|vous)|veux\s+que\s+(?:tu|vous))\b"
        r"|\bj['’]aime(?:rais)?\s+(?:mieux|que|les\s+réponses)\b"
    ),
    (
        r"\b(?:yo\s+)?(?:prefiero|preferiría)\b|\bme\s+gustaría\s+que\b|\bquiero\s+que\s+(?:siempre|nunca|me|uses"
        r"|incluyas)\b|\bme\s+gusta\s+que\b"
    ),
    (
        r"\bя\s+(?:\w+\s+)?предпочитаю\b|\bя\s+(?:бы\s+)?предпоч(?:ёл|ел|ла)\b|\bмне\s+больше\s+нрав\w+"
        r"|\bя?\s*хочу,?\s+чтобы\s+(?:ты|вы)\b"
    ),
    r"我(?:更|比较|还是)?(?:喜欢|偏好|偏爱|倾向于)|我(?:希望|想要|要|需要)你(?:总是|始终|以后|每次|用|不要|别)",
)
"""What one says of one's own wishes, anywhere in a sentence."""


def is_standing(text: str) -> bool:
    """Whether a text is, as a whole, such a request: short, no question, and asking in its first sentence."""
    said = next(iter(_told(text)), "")
    return not is_question(said) and bool(_orders().match(said) or _wishes().search(said, 0, LATEST_WISH))


def holds_standing(text: str) -> bool:
    """Whether it is one, or plainly asks in a later sentence: `Good. From now on always run the linter`."""
    said = (one for one in _told(text) if not is_question(one))
    return is_standing(text) or any(_PLAINLY.search(one) and _orders().match(one) for one in said)


def _told(text: str) -> list[str]:
    """The sentences of a text, none of one that is too long to be a request."""
    found = sentences(text) if len(text) <= MOST_CHARACTERS else []
    return [*map(_said, found)] if len(found) <= MOST_SENTENCES else []


def _said(sentence: str) -> str:
    return " ".join(sentence.strip(" \"'“”«»*_").split())


@cache
def _orders() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{order})" for order in _ORDERS), re.IGNORECASE)


@cache
def _wishes() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{wish})" for wish in _WISHES), re.IGNORECASE)
