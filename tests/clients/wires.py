"""The four ways agents talk to a model over HTTP: what they offer and say in JSON, and how a reply looks to them.

Each wire reads a request's body and makes a reply's; it knows nothing of a test. Replies come whole, or as the events
of a stream where the agent asks for one.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

Json = dict[str, Any]
NAME = "stand-in"
"""Of the model."""


@dataclass(frozen=True, slots=True)
class Say:
    """Words, which end the agent's turn."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A tool that is to be called; `space` where the agent keeps its tools in namespaces."""

    tool: str
    arguments: Mapping[str, object]
    space: str = ""
    number: int = 1
    """Which of a session it is: agents take two of one id for the same."""


class Wire(Protocol):
    """One of them; `tools` and `results` are read from a request, in their order."""

    def tools(self, body: Json) -> list[tuple[str, str]]: ...
    def results(self, body: Json) -> list[str]: ...
    def whole(self, reply: Say | Call) -> Json: ...
    def events(self, reply: Say | Call) -> Iterator[Json]: ...


class Messages:
    """Anthropic's `/v1/messages`."""

    def tools(self, body: Json) -> list[tuple[str, str]]:
        return [("", tool["name"]) for tool in body.get("tools", ())]

    def results(self, body: Json) -> list[str]:
        parts = (part for message in body["messages"] for part in _parts(message["content"]))
        return [text_in(part.get("content")) for part in parts if part["type"] == "tool_result"]

    def whole(self, reply: Say | Call) -> Json:
        if isinstance(reply, Call):
            block = {
                "type": "tool_use",
                "id": f"toolu_{reply.number}",
                "name": reply.tool,
                "input": dict(reply.arguments),
            }
        else:
            block = {"type": "text", "text": reply.text}
        return self._message([block], "tool_use" if isinstance(reply, Call) else "end_turn")

    def events(self, reply: Say | Call) -> Iterator[Json]:
        whole = self.whole(reply)
        (block,) = whole["content"]
        if isinstance(reply, Call):
            start = block | {"input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(dict(reply.arguments))}
        else:
            start, delta = block | {"text": ""}, {"type": "text_delta", "text": reply.text}
        yield {"type": "message_start", "message": self._message([], None)}
        yield {"type": "content_block_start", "index": 0, "content_block": start}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
        yield {"type": "content_block_stop", "index": 0}
        end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        yield {"type": "message_delta", "delta": end, "usage": {"output_tokens": 1}}
        yield {"type": "message_stop"}

    def _message(self, content: list[Json], stop: str | None) -> Json:
        usage = {"input_tokens": 1, "output_tokens": 1}
        about = {"id": "msg_1", "type": "message", "role": "assistant", "model": NAME, "usage": usage}
        return about | {"content": content, "stop_reason": stop, "stop_sequence": None}


class Responses:
    """OpenAI's `/v1/responses`."""

    def tools(self, body: Json) -> list[tuple[str, str]]:
        found = []
        for tool in body.get("tools", ()):
            if tool["type"] == "namespace":
                found += [(tool["name"], inner["name"]) for inner in tool["tools"]]
            elif "name" in tool:
                found.append(("", tool["name"]))
        return found

    def results(self, body: Json) -> list[str]:
        return [text_in(item["output"]) for item in body["input"] if item.get("type") == "function_call_output"]

    def whole(self, reply: Say | Call) -> Json:
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        about = {"id": "resp_1", "object": "response", "created_at": 0, "model": NAME, "usage": usage}
        return about | {"status": "completed", "output": [self._item(reply)]}

    def events(self, reply: Say | Call) -> Iterator[Json]:
        whole = self.whole(reply)
        (item,) = whole["output"]
        yield {"type": "response.created", "response": whole | {"status": "in_progress", "output": []}}
        yield {"type": "response.output_item.added", "output_index": 0, "item": item}
        yield {"type": "response.output_item.done", "output_index": 0, "item": item}
        yield {"type": "response.completed", "response": whole}

    def _item(self, reply: Say | Call) -> Json:
        if isinstance(reply, Say):
            text = {"type": "output_text", "text": reply.text, "annotations": []}
            return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text]}
        item = {
            "type": "function_call",
            "id": f"fc_{reply.number}",
            "call_id": f"call_{reply.number}",
            "name": reply.tool,
            "status": "completed",
        }
        space = {"namespace": reply.space} if reply.space else {}
        return item | space | {"arguments": json.dumps(dict(reply.arguments))}


class Completions:
    """OpenAI's `/v1/chat/completions`, which most others speak too."""

    def tools(self, body: Json) -> list[tuple[str, str]]:
        return [("", tool["function"]["name"]) for tool in body.get("tools", ())]

    def results(self, body: Json) -> list[str]:
        return [text_in(message["content"]) for message in body["messages"] if message["role"] == "tool"]

    def whole(self, reply: Say | Call) -> Json:
        choice = {"index": 0, "message": self._message(reply), "finish_reason": self._finish(reply)}
        return self._about("chat.completion") | {"choices": [choice]}

    def events(self, reply: Say | Call) -> Iterator[Json]:
        message = self._message(reply)
        if isinstance(reply, Call):
            message["tool_calls"][0]["index"] = 0
        about = self._about("chat.completion.chunk")
        yield about | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]}
        yield about | {"choices": [{"index": 0, "delta": {}, "finish_reason": self._finish(reply)}]}

    def _message(self, reply: Say | Call) -> Json:
        if isinstance(reply, Say):
            return {"role": "assistant", "content": reply.text}
        function = {"name": reply.tool, "arguments": json.dumps(dict(reply.arguments))}
        call = {"id": f"call_{reply.number}", "type": "function", "function": function}
        return {"role": "assistant", "content": None, "tool_calls": [call]}

    def _finish(self, reply: Say | Call) -> str:
        return "tool_calls" if isinstance(reply, Call) else "stop"

    def _about(self, kind: str) -> Json:
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {"id": "chatcmpl-1", "object": kind, "created": 0, "model": NAME, "usage": usage}


class Contents:
    """Google's `:generateContent` and `:streamGenerateContent`."""

    def tools(self, body: Json) -> list[tuple[str, str]]:
        return [("", each["name"]) for tool in body.get("tools", ()) for each in tool.get("functionDeclarations", ())]

    def results(self, body: Json) -> list[str]:
        parts = (part for content in body["contents"] for part in content["parts"])
        return [text_in(part["functionResponse"]["response"]) for part in parts if "functionResponse" in part]

    def whole(self, reply: Say | Call) -> Json:
        if isinstance(reply, Call):
            part: Json = {"functionCall": {"name": reply.tool, "args": dict(reply.arguments)}}
        else:
            part = {"text": reply.text}
        content = {"role": "model", "parts": [part]}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        candidate = {"content": content, "finishReason": "STOP", "index": 0}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": NAME}

    def events(self, reply: Say | Call) -> Iterator[Json]:
        yield self.whole(reply)


def text_in(value: object) -> str:
    """All the text that a tool's result holds, however an agent wraps it."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return text_in(list(value.values()))
    return "\n".join(text_in(each) for each in value) if isinstance(value, Iterable) else ""


def _parts(content: str | list[Json]) -> list[Json]:
    return [] if isinstance(content, str) else content
