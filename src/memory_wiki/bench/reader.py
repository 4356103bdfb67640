"""A model that answers from what recall quoted, behind any endpoint that speaks OpenAI's chat completions.

Sees the question and the quotes, never a page nor the dataset's answer. Its failures are counted, but for the first
answer of all: an endpoint that never works ends the run.
"""

import json
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException

from memory_wiki.bench.node import Node
from memory_wiki.errors import BadInput, Broken
from memory_wiki.recall.recall import Hit

TASK = (
    "Answer the question from the quotes alone, in as few words as it takes, without a sentence around them."
    " Quotes are of sessions; a title tells the day. If they do not hold the answer, say: not known."
)
PATIENCE = 120.0  # seconds for one answer
WAY = "/chat/completions"


class Reader:
    """`url` is the endpoint, with or without `/chat/completions`; `key` may be "" where it asks for none."""

    def __init__(self, url: str, model: str, key: str) -> None:
        if not url.startswith(("http://", "https://")):
            raise BadInput(f"{url!r} is no address of a reader; give one as http://localhost:8080/v1")
        if not model:
            raise BadInput("--reader goes with --reader-model: the name that the endpoint knows the model by")
        self.url = url if url.endswith(WAY) else url.rstrip("/") + WAY
        self.model = model
        self.answered = 0
        self.failed = 0
        self._key = key

    def answer(self, question: str, hits: Sequence[Hit]) -> str | None:
        """What the model says; None where it failed. Raises `Broken` where it has never answered yet."""
        quotes = "\n\n".join(f"[{hit.title}]\n{hit.text}" for hit in hits)
        try:
            said = self._asked(f"Quotes:\n\n{quotes}\n\nQuestion: {question}")
        except (OSError, HTTPException, UnicodeDecodeError, BadInput) as error:
            if not self.answered:
                raise Broken(f"the reader at {self.url} does not answer: {error}; mend that, or leave it out") from None
            self.failed += 1
            return None
        self.answered += 1
        return said

    def _asked(self, text: str) -> str:
        messages = [{"role": "system", "content": TASK}, {"role": "user", "content": text}]
        body = json.dumps({"model": self.model, "messages": messages, "temperature": 0}).encode("utf-8", "replace")
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        request = urllib.request.Request(self.url, body, headers)  # noqa: S310 - http and https alone, see above
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - as above
            found = Node.of(answer.read().decode())
        choices = found.get("choices").items()
        if not choices:
            raise BadInput("it gave no choice")
        return choices[0].get("message").get("content").text_or_none()
