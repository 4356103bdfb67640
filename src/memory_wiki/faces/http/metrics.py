"""What operators watch, in Prometheus's text format, by its own client library."""

import logging
from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from memory_wiki.errors import MemoryWikiError

log = logging.getLogger(__name__)

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)


class _Sizes(Collector):
    """Of the vault, asked as it is read; left out while it can't be."""

    def __init__(self, sizes: Callable[[], dict[str, int]]) -> None:
        self._sizes = sizes

    def collect(self) -> Iterator[Metric]:
        try:
            found = self._sizes()
        except (MemoryWikiError, OSError) as error:  # the rest is wanted most when something is amiss
            log.warning("metrics without the vault's sizes: %s", error)
            return
        for name, value in found.items():
            yield GaugeMetricFamily(f"memory_wiki_{name}", f"{name.capitalize()} of the vault", value=value)


class Metrics:
    """Calls by tool and outcome, how long they took, and the vault's sizes."""

    def __init__(self, sizes: Callable[[], dict[str, int]]) -> None:
        self._registry = CollectorRegistry()
        self._calls = Counter("memory_wiki_calls", "Calls of tools", ("tool", "outcome"), registry=self._registry)
        self._seconds = Histogram(
            "memory_wiki_call_seconds", "How long calls took", ("tool",), buckets=SECONDS, registry=self._registry
        )
        self._registry.register(_Sizes(sizes))

    def called(self, tool: str, outcome: str, seconds: float) -> None:
        """`outcome` is `ok`, or an error's code."""
        self._calls.labels(tool, outcome).inc()
        self._seconds.labels(tool).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self._registry)
