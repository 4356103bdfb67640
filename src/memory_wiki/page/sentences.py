"""The sentences of a text, without what marks a list, a heading or a fact, and without code. Pure."""

import re

_CODE = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_MARK = re.compile(r"\s*(?:[-*+>#]+|\d+[.)])\s+(?:\[\S{1,20}\]\s+)?|\s*\[\w{2,20}\]\s+")
_SENTENCE = re.compile(r"[^.!?。！？]+(?:[.!?](?!\s|$)[^.!?。！？]*)*[.!?。！？]*")


def sentences(text: str) -> list[str]:
    """Each as it is written; none goes on over the end of a line."""
    lines = (_MARK.sub("", line, count=1) if _MARK.match(line) else line for line in _CODE.sub("\n", text).splitlines())
    return [
        sentence
        for line in lines
        for found in _SENTENCE.findall(line)
        if any(map(str.isalpha, sentence := found.strip()))
    ]


def is_question(sentence: str) -> bool:
    return sentence.endswith(("?", "？"))
