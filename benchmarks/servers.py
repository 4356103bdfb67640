"""Rows of the servers that agents talk to: over a pipe and over HTTP, spoken to in JSON-RPC by hand.

basic-memory's figures stand beside as they were measured elsewhere: it is not on every package index.
"""

import json
import os
import statistics
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, Any

from holding import serving
from measuring import MEGA, PATIENCE, Figure, Row, command, commits, percentile, timed
from scale import Bench
from senses import warm
from vaults import questions

HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
CLIENTS = 50
READS = 4  # of five calls; the fifth writes


def piped(stream: IO[str] | None) -> IO[str]:
    """A process's end of a pipe, which was asked for."""
    if stream is None:
        raise RuntimeError("this process has no pipe")
    return stream


class Agent:
    """A server of its own, over a pipe, that has been greeted."""

    def __init__(self, root: Path) -> None:
        call = [str(command()), "mcp", "--vault", str(root), "--project", "bench"]
        self.process = subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self._says, self._hears = piped(self.process.stdin), piped(self.process.stdout)
        self._numbers = count(1)
        self.ask("initialize", **HELLO)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, **params: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        number = next(self._numbers)
        self._write({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        for line in self._hears:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == number and "method" not in answer:
                return answer
        raise RuntimeError("the server has ended")

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
        result: dict[str, Any] = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        if result.get("isError"):
            raise RuntimeError(result["content"][0]["text"])
        return result

    def close(self) -> None:
        self._says.close()
        if self.process.wait(PATIENCE):
            raise RuntimeError("the server ended badly")

    def held(self) -> float:
        """Megabytes in memory, as Linux counts."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024 / MEGA

    def processor(self) -> float:
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

    def _write(self, message: object) -> None:
        self._says.write(json.dumps(message) + "\n")
        self._says.flush()


@contextmanager
def agent(root: Path) -> Iterator[Agent]:
    one = Agent(root)
    try:
        yield one
        one.close()
    finally:
        one.process.kill()


def start(bench: Bench, size: int) -> Iterator[Row]:
    """From the start of the process until it has listed its tools."""
    root = bench.vaults.made(size)

    def started(_number: int) -> None:
        with agent(root) as one:
            one.ask("tools/list")
            seconds.append(time.perf_counter() - began[-1])

    began: list[float] = []
    seconds: list[float] = []
    for number in range(1 + bench.scale.starts):  # the first warms up
        began.append(time.perf_counter())
        started(number)
    middle = statistics.median(seconds[1:])
    bars = (Figure("p50", middle, "s", 1.2), Figure("of", len(seconds) - 1, ""))
    yield Row("mcp_start", size, "`mcp` from its start to `tools/list`", bars, "basic-memory 5.2 s elsewhere")


def recall(bench: Bench, size: int) -> Iterator[Row]:
    """Questions of two to five words, each asked once; vectors of pages are made up (senses.py)."""
    root = bench.vaults.made(size)
    with serving(root) as wiki:
        warm(wiki)
    asked = questions(root, bench.scale.questions)
    with agent(root) as one:
        _until_by_meaning(one, asked[0])
        for effort, times, bars in (("fast", len(asked), (40, 120)), ("default", len(asked) // 4 or 1, (None, None))):
            done = timed(partial(_recall, one, asked, effort), times, PATIENCE)
            yield Row("mcp_recall", size, f"`recall` through MCP, words and meaning, {effort}", done.figures(*bars))


def remember(bench: Bench, size: int) -> Iterator[Row]:
    """One after another, each on the disk and in history when it is answered."""
    root = bench.vaults.copy(size)
    before = commits(root)
    with agent(root) as one:
        one.call("remember", text="The first is not counted.")
        done = timed(partial(_remember, one), bench.scale.remembered, PATIENCE)
    if commits(root) - before < len(done.seconds):
        raise RuntimeError("a memory was acknowledged and is not in history")
    figures = (*done.figures(25, None), Figure("rate", done.rate, "/s", 44, is_floor=True))
    yield Row("mcp_remember", size, "`remember` through MCP", figures, "basic-memory 2.2 /s elsewhere")


def idle(bench: Bench, size: int) -> Iterator[Row]:
    """What a server holds that is not asked, before a model is needed and once it is loaded, and what it does then."""
    root = bench.vaults.made(size)
    with serving(root) as wiki:
        warm(wiki)
    with agent(root) as one:
        one.ask("tools/list")
        for what, most in (("no model needed yet", 120), ("model loaded", 450)):
            time.sleep(bench.scale.idle_seconds / 4)
            spent = one.processor()
            time.sleep(bench.scale.idle_seconds)
            share = 100 * (one.processor() - spent) / bench.scale.idle_seconds
            figures = (Figure("holds", one.held(), "MB", most), Figure("processor", share, "%", 0.5))
            yield Row("mcp_idle", size, f"an idle `mcp`, {what}", figures)
            _until_by_meaning(one, "orders")


@dataclass
class _Tally:
    """What the clients of one run did."""

    seconds: list[float]
    written: list[str]
    failed: list[str]


def clients(bench: Bench, size: int) -> Iterator[Row]:
    """Fifty at once over HTTP that recall and remember for a minute; each memory acknowledged must be there after."""
    root = bench.vaults.copy(size)
    with serving(root) as wiki:
        warm(wiki)
    asked = questions(root, bench.scale.questions)
    tally = _Tally([], [], [])
    with _http(root) as (base, token):
        end = time.monotonic() + bench.scale.http_seconds
        with ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(partial(_client, base, token, asked, tally, end), range(CLIENTS)))
    lost = [page for page in tally.written if not (root / page).exists()]
    if tally.failed or lost:
        raise RuntimeError(f"{len(tally.failed)} calls failed, {len(lost)} writes lost: {tally.failed[:3]}")
    figures = (
        Figure("p50", 1000 * statistics.median(tally.seconds), "ms"),
        Figure("p99", 1000 * percentile(tally.seconds, 99), "ms", 1_000),
        Figure("calls", len(tally.seconds) / bench.scale.http_seconds, "/s"),
        Figure("written", len(tally.written), ""),
    )
    yield Row("http_clients", size, f"{CLIENTS} clients at once over HTTP, one call of five writes", figures)


def _client(base: str, token: str, asked: Sequence[str], tally: _Tally, end: float, client: int) -> None:
    for number in count():
        if time.monotonic() > end:
            return
        began = time.perf_counter()
        try:
            if number % (READS + 1) == READS:
                text = f"Client {client} kept fact {number}."
                found = _post(base, token, "remember", text=text, title=f"Fact {client} {number}", project="bench")
                tally.written.append(found["changes"][0]["page"])
            else:
                question = asked[(client + number) % len(asked)]
                _post(base, token, "recall", question=question, project="*", effort="fast")
            tally.seconds.append(time.perf_counter() - began)
        except (OSError, KeyError, ValueError) as error:
            tally.failed.append(repr(error))


def _post(base: str, token: str, tool: str, **arguments: str) -> Any:  # noqa: ANN401 - JSON
    headers = {"Authorization": f"Bearer {token}"}
    asked = urllib.request.Request(f"{base}/api/v1/{tool}", json.dumps(arguments).encode(), headers)  # noqa: S310
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as found:  # noqa: S310
            return json.loads(found.read())
    except urllib.error.HTTPError as error:
        with error:
            raise ValueError(error.read().decode()) from None


@contextmanager
def _http(root: Path) -> Iterator[tuple[str, str]]:
    call = [str(command()), "serve", "--vault", str(root), "--port", "0", "--json"]
    with subprocess.Popen(call, stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            said = ""
            while not said.endswith("}\n"):
                said += piped(process.stdout).readline()
            found = json.loads(said)
            yield found["url"].removesuffix("/mcp"), Path(found["token_file"]).read_text(encoding="ascii").strip()
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _recall(one: Agent, asked: Sequence[str], effort: str, number: int) -> None:
    found = one.call("recall", question=asked[number], effort=effort, project="*")["structuredContent"]
    if "meaning" in found["missing"]:
        raise RuntimeError(found["missing"]["meaning"])


def _until_by_meaning(one: Agent, question: str) -> None:
    """A server loads its model at the first question, and answers by words meanwhile."""
    waited = threading.Event()
    end = time.monotonic() + PATIENCE
    while "meaning" in one.call("recall", question=question, project="*")["structuredContent"]["missing"]:
        if time.monotonic() > end:
            raise RuntimeError("no answer by meaning")
        with suppress(TimeoutError):
            waited.wait(0.1)


def _remember(one: Agent, number: int) -> None:
    one.call("remember", text=f"The benchmark wrote memory {number}.", title=f"Memory {number}")
