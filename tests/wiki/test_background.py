"""What a thread of its own does about signs of change, once it is quiet."""

import subprocess
import sys
from threading import Event

import pytest

from kit import until
from memory_wiki.wiki import background
from memory_wiki.wiki.background import Background


def test_while_it_is_held_nothing_is_settled_and_afterwards_all_is() -> None:
    settled: list[bool] = []

    def settle() -> bool:
        settled.append(is_held)
        return False

    thread = Background(settle)
    thread.start()
    is_held = True
    with thread.held(), thread.held():
        thread.wake()
        Event().wait(2 * background.QUIET)
        assert not settled
        is_held = False
    until(lambda: settled == [False])
    thread.close()


def test_who_ends_without_closing_waits_for_what_has_begun() -> None:
    code = (
        "import time\n"
        "from threading import Event\n"
        "from memory_wiki.wiki.background import Background\n"
        "begun = Event()\n"
        "def settle():\n"
        "    begun.set()\n"
        "    time.sleep(0.2)\n"
        "    print('settled')\n"
        "    return False\n"
        "thread = Background(settle)\n"
        "thread.start()\n"
        "thread.wake()\n"
        "begun.wait()\n"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout == b"settled\n"


def test_a_mistake_of_ours_ends_nothing() -> None:
    settled: list[int] = []

    def settle() -> bool:
        settled.append(1)
        if len(settled) == 1:
            raise ValueError
        return False

    thread = Background(settle)
    thread.start()
    thread.wake()
    until(lambda: len(settled) == 1)
    thread.wake()
    until(lambda: len(settled) == 2)
    thread.close()
    assert len(settled) == 2


def test_unrest_without_end_is_settled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "AT_LAST", 0.05)
    settled: list[bool] = []

    def settle() -> bool:
        settled.append(True)
        return False

    thread = Background(settle)
    thread.start()

    def is_settled() -> bool:
        thread.wake()
        return len(settled) == 2

    until(is_settled)
    thread.close()
