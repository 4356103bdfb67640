"""Work that one thread does for several."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from kit import PATIENCE, until
from memory_wiki.wiki.sharing import Shared


def test_those_who_come_during_a_run_share_the_next() -> None:
    begun: list[int] = []
    goes_on = Event()

    def work() -> int:
        begun.append(len(begun) + 1)
        number = begun[-1]
        assert goes_on.wait(PATIENCE)
        return number

    shared = Shared(work)
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(shared.do)
        until(lambda: begun == [1])
        others = [pool.submit(shared.do) for _ in range(8)]
        until(lambda: sum(each.running() for each in others) == 8)
        goes_on.set()
        assert first.result(PATIENCE) == 1
        assert {each.result(PATIENCE) for each in others} <= {2, 3}  # the last may have come as the second began
    assert shared.do() == len(begun)


def test_each_sees_what_was_done_before_it_asked() -> None:
    done = 0
    shared = Shared(lambda: done)

    def asking(number: int) -> bool:
        nonlocal done
        done = max(done, number)
        return shared.do() >= number

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(asking, range(2_000)))


def test_what_goes_wrong_goes_wrong_for_all_and_not_for_who_comes_after() -> None:
    fails = True

    def work() -> str:
        if fails:
            raise ValueError("no")
        return "yes"

    shared = Shared(work)
    with pytest.raises(ValueError, match="no"):
        shared.do()
    fails = False
    assert shared.do() == "yes"
