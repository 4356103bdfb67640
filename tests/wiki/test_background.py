"""What a thread of its own does about signs of change: some of it amid unrest, the rest once it is quiet."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from kit import PATIENCE, until
from memory_wiki.errors import Broken
from memory_wiki.wiki import background
from memory_wiki.wiki.background import Background


def test_amid_unrest_others_may_give_signs_and_all_is_settled_once_it_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "MEANWHILE", 0.02)
    done: list[str] = []

    def meanwhile() -> None:
        done.append("meanwhile")
        pool.submit(thread.wake).result(PATIENCE)
        if len(done) == 2:
            raise Broken("which is said, and ends nothing")

    def settle() -> bool:
        done.append("settle")
        return False

    thread = Background(meanwhile, settle)
    with ThreadPoolExecutor(1) as pool:
        thread.start()

        def is_enough() -> bool:
            thread.wake()
            return len(done) == 3

        until(is_enough)
        assert "settle" not in done
        until(lambda: done[-1] == "settle")
        thread.close()
    assert done.count("settle") == 1


def test_unrest_without_end_is_settled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "AT_LAST", 0.05)
    settled: list[bool] = []

    def settle() -> bool:
        settled.append(True)
        return False

    thread = Background(lambda: None, settle)
    thread.start()

    def is_settled() -> bool:
        thread.wake()
        return len(settled) == 2

    until(is_settled)
    thread.close()
