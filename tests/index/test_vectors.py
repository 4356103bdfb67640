"""Vectors in real files: what lies near what, what a crash or another process leaves, and what is dropped."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from threading import Event

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from effects import watched
from memory_wiki.errors import IndexBroken, Refused
from memory_wiki.index.vectors import FILES, SPARE, Floats, Vectors

DIM = 8
ERROR = 2 * DIM**0.5 / 127
"""Of a cosine of two vectors that are kept as int8: half a step in each number, of both."""
FIRST, SECOND = range(1, 11), range(11, 31)
ADDS = """
import sys
import numpy as np
from pathlib import Path
from memory_wiki.index.vectors import Vectors
folder, start = Path(sys.argv[1]), int(sys.argv[2])
vectors = Vectors(folder, 8)
print("ready", flush=True)
sys.stdin.readline()
for mark in range(start, start + 60, 3):
    marks = range(mark, mark + 3)
    vectors.add(marks, np.array([np.random.default_rng(one).normal(size=8) for one in marks], np.float32))
"""


def vector(mark: int) -> Floats:
    """The one that a mark has in these tests."""
    return np.random.default_rng(mark).normal(size=DIM).astype(np.float32)


def vectors_of(marks: Sequence[int]) -> Floats:
    return np.array([vector(mark) for mark in marks], np.float32).reshape(-1, DIM)


def put(vectors: Vectors, marks: Sequence[int]) -> None:
    vectors.add(marks, vectors_of(marks))


def cosine(one: Floats, other: Floats) -> float:
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def assert_true(vectors: Vectors, marks: Sequence[int], without: Sequence[int] = ()) -> None:
    """Each of `marks` has its own vector, and none of `without` has any."""
    question = vector(0)
    found = vectors.nearness(question).of([*marks, *without])
    assert found[len(marks) :] == [None] * len(without)
    for mark, near in zip(marks, found, strict=False):
        assert near == pytest.approx(cosine(question, vector(mark)), abs=ERROR), mark
    assert vectors.lacking([*marks, *without, *without]) == sorted(without)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vectors" / "a-model"


@pytest.fixture
def vectors(folder: Path) -> Vectors:
    return Vectors(folder, DIM)


# What lies near


@given(st.lists(st.integers(0, 2**63 - 1), unique=True, max_size=40), st.integers(0, 50), st.floats(1e-3, 1e3))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nearness_is_the_cosine_within_what_a_byte_can_tell(
    tmp_path_factory: pytest.TempPathFactory, marks: list[int], most: int, length: float
) -> None:
    vectors = Vectors(tmp_path_factory.mktemp("v") / "vectors" / "a", DIM)
    for start in range(0, len(marks), 7):
        some = marks[start : start + 7]
        vectors.add(some, vectors_of(some) * length)
    assert_true(vectors, marks)
    near = vectors.nearness(vector(0) * length)
    nearest = near.nearest(most)
    assert len(nearest) == len(set(nearest)) == min(most, len(marks))
    farthest = min((cosine(vector(0), vector(mark)) for mark in nearest), default=1.0)
    for mark in set(marks) - set(nearest):
        assert not nearest or cosine(vector(0), vector(mark)) <= farthest + 2 * ERROR


def test_where_nothing_is_kept_all_is_lacking_and_nothing_near(vectors: Vectors) -> None:
    assert_true(vectors, [], FIRST)
    assert vectors.nearness(vector(0)).nearest(5) == []
    assert (len(vectors), vectors.lacking([])) == (0, [])
    put(vectors, [])
    assert len(vectors) == 0


def test_a_mark_that_two_processes_gave_a_vector_is_kept_once_for_who_asks(vectors: Vectors, folder: Path) -> None:
    put(vectors, FIRST)
    put(Vectors(folder, DIM), FIRST)
    assert_true(vectors, FIRST, SECOND)
    assert set(vectors.nearness(vector(0)).nearest(100)) == set(FIRST)


def test_the_nearness_to_a_question_stays_as_it_was_when_it_was_asked(vectors: Vectors) -> None:
    put(vectors, FIRST)
    near = vectors.nearness(vector(0))
    put(vectors, SECOND)
    assert near.of(SECOND) == [None] * len(SECOND)
    assert_true(vectors, [*FIRST, *SECOND])


# What happens to the files


@pytest.mark.parametrize("name", ["rows", "marks"])
@pytest.mark.parametrize("bytes_more", [1, 7, DIM, 5 * DIM + 3, -1, -DIM, -3 * DIM - 1, -10 * DIM, None])
def test_files_that_do_not_match_count_as_far_as_both_go_and_the_next_to_add_mends_them(
    vectors: Vectors, folder: Path, name: str, bytes_more: int | None
) -> None:
    put(vectors, FIRST)
    file = folder / name
    whole = file.read_bytes()
    if bytes_more is None:
        file.unlink()
    else:
        file.write_bytes(whole[:bytes_more] if bytes_more < 0 else whole + b"\x55" * bytes_more)
    kept = FIRST[: file.stat().st_size // DIM] if bytes_more is not None else []
    for each in (Vectors(folder, DIM), vectors):
        assert_true(each, kept, FIRST[len(kept) :])
    put(Vectors(folder, DIM), SECOND)
    for each in (Vectors(folder, DIM), vectors):
        assert_true(each, [*kept, *SECOND], FIRST[len(kept) :])


def test_a_power_cut_at_any_effect_of_an_add_leaves_what_was_there_and_all_of_it_or_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    effects = watched(monkeypatch)
    put(Vectors(folder, DIM), FIRST)
    whole = Vectors(shutil.copytree(folder, folder.with_name("whole")), DIM)
    with effects.counted() as happened:
        put(whole, SECOND)
    assert len(happened) >= 5
    for number, what in enumerate(tuple(happened), 1):
        cut = shutil.copytree(folder, folder.with_name(f"cut-{number}"))
        with effects.cut(number):
            put(Vectors(cut, DIM), SECOND)
        left = Vectors(cut, DIM)
        assert left.lacking([*FIRST, *SECOND]) in ([], [*SECOND]), what
        assert_true(left, FIRST)
        put(left, left.lacking(SECOND))
        assert_true(Vectors(cut, DIM), [*FIRST, *SECOND])


def test_a_power_cut_at_any_effect_of_a_prune_leaves_no_vector_beside_the_mark_of_another(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    effects = watched(monkeypatch)
    put(Vectors(folder, DIM), range(1, 4_001))
    whole = Vectors(shutil.copytree(folder, folder.with_name("whole")), DIM)
    with effects.counted() as happened:
        whole.prune(SECOND)
    assert len(happened) >= 6
    for number in range(1, len(happened) + 1):
        cut = shutil.copytree(folder, folder.with_name(f"cut-{number}"))
        with effects.cut(number):
            Vectors(cut, DIM).prune(SECOND)
        left = Vectors(cut, DIM)
        lacking = left.lacking(SECOND)
        assert_true(left, [mark for mark in SECOND if mark not in lacking])
        put(left, lacking)
        assert_true(Vectors(cut, DIM), SECOND)


def test_two_processes_that_add_at_once_lose_nothing(folder: Path) -> None:
    """Takes a second: Python starts twice."""
    folder.parent.mkdir()
    vectors = Vectors(folder, DIM)
    both = [
        subprocess.Popen(
            [sys.executable, "-c", ADDS, str(folder), str(start)],
            env={"PYTHONPATH": ":".join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for start in (1, 1_001)
    ]
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    for process in both:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    assert [process.communicate()[0] for process in both] == [b"", b""]
    assert [process.returncode for process in both] == [0, 0]
    assert_true(vectors, [*range(1, 61), *range(1_001, 1_061)])
    assert len(vectors) == 120


def test_threads_find_what_is_right_while_another_process_adds_and_prunes(vectors: Vectors, folder: Path) -> None:
    put(vectors, FIRST)
    ends = Event()
    question = vector(0)
    right = [cosine(question, vector(mark)) for mark in SECOND]

    def change() -> None:
        other = Vectors(folder, DIM)
        try:
            for start in count(100, 3_100):
                other.add(range(start, start + 3_100), np.ones((3_100, DIM), np.float32))
                put(other, SECOND)
                other.prune([*FIRST, *SECOND])
                if start > 40_000:
                    return
        finally:
            ends.set()

    def read() -> int:
        seen = 0
        while not ends.is_set():
            near = vectors.nearness(question)
            for found, wanted in zip(near.of(SECOND), right, strict=True):
                assert found is None or found == pytest.approx(wanted, abs=ERROR)
                seen += found is not None
            assert len(near) == len(near.nearest(100_000))
        return seen

    with ThreadPoolExecutor(3) as pool:
        changed, *reads = [pool.submit(change), pool.submit(read), pool.submit(read)]
        changed.result()
        assert all(each.result() for each in reads)
    assert_true(vectors, [*FIRST, *SECOND])


def test_a_folder_that_somebody_deletes_is_begun_anew(vectors: Vectors, folder: Path) -> None:
    put(vectors, FIRST)
    near = vectors.nearness(vector(0))
    shutil.rmtree(folder.parent)
    assert_true(vectors, [], FIRST)
    assert len(near.nearest(100)) == len(FIRST)
    put(vectors, SECOND)
    assert_true(vectors, SECOND, FIRST)


def test_what_can_be_read_is_not_made_anew_nor_what_can_not_be_for_the_moment(vectors: Vectors) -> None:
    vectors.mend()
    put(vectors, FIRST)
    vectors.mend()
    assert_true(vectors, FIRST)
    before = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (0, before[1]))  # no file can be opened any more
    try:
        with pytest.raises(IndexBroken, match="Too many open files"):
            vectors.mend()
    finally:
        setrlimit(RLIMIT_NOFILE, before)
    assert_true(vectors, FIRST)


def test_a_vault_that_was_moved_away_is_not_made_anew(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vectors = Vectors(vault / ".memory-wiki" / "index" / "vectors" / "a", DIM)
    vault.mkdir()
    put(vectors, FIRST)
    vault.rename(tmp_path / "away")
    with pytest.raises(IndexBroken):
        put(vectors, SECOND)
    assert not vault.exists()
    (tmp_path / "away").rename(vault)
    assert_true(vectors, FIRST, SECOND)


def test_the_vectors_of_another_model_are_another_folder(vectors: Vectors, folder: Path) -> None:
    other = Vectors(folder.with_name("another-model"), 2 * DIM)
    put(vectors, FIRST)
    other.add(FIRST, np.tile(vectors_of(FIRST), 2))
    before = {file.name: file.read_bytes() for file in other.folder.iterdir()}
    put(vectors, range(100, 4_000))
    vectors.prune(FIRST)
    assert {file.name: file.read_bytes() for file in other.folder.iterdir()} == before
    assert other.lacking(range(1, 20)) == [*range(11, 20)]


# What is dropped


def test_what_no_passage_has_is_dropped_once_it_is_the_most_by_far_and_what_is_live_is_kept(vectors: Vectors) -> None:
    live = range(1, 1_201)
    gone = range(2_001, 2_001 + (SPARE - 1) * len(live))
    put(vectors, [mark for both in zip(live, gone, strict=False) for mark in both] + [*gone[len(live) :]])
    vectors.prune(live)
    assert_true(vectors, [*live[:50], *gone[:50]])
    put(vectors, [9_999])
    vectors.prune(live)
    assert_true(vectors, live, [*gone[:50], 9_999])
    assert len(vectors) == len(live)
    put(vectors, SECOND)


def test_a_small_vault_drops_nothing(vectors: Vectors) -> None:
    put(vectors, range(1, 2_900))
    vectors.prune([1])
    assert_true(vectors, range(1, 2_900, 29))


# The nearest of some


@given(st.sets(st.integers(1, 40)), st.integers(1, 30))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_nearest_of_some_are_those_that_no_other_of_them_is_nearer_than(
    vectors: Vectors, asked: set[int], most: int
) -> None:
    if not len(vectors):
        put(vectors, [*FIRST, *SECOND])
    near = vectors.nearness(vector(0))
    has_vector = [mark for mark in asked if mark in {*FIRST, *SECOND}]
    cosine_of = dict(zip(has_vector, near.of(has_vector), strict=True))
    found = near.nearest_among(asked, most)
    assert len(found) == len({*found}) == min(most, len(has_vector))
    assert {*found} <= {*has_vector}
    assert all(cosine_of[one] >= cosine_of[other] for one in found for other in {*has_vector} - {*found})  # type: ignore[operator]


def test_where_nothing_is_kept_nothing_is_nearest(vectors: Vectors) -> None:
    assert vectors.nearness(vector(0)).nearest_among([1, 2], 5) == []


# What must not be


@pytest.mark.parametrize(("do", "error"), [(lambda each: put(each, FIRST), Refused), (len, IndexBroken)])
def test_a_folder_that_can_not_be_had_is_an_error_of_ours(
    vectors: Vectors, folder: Path, do: Callable[[Vectors], object], error: type[Exception]
) -> None:
    folder.parent.mkdir()
    folder.write_text("a file", encoding="utf-8")
    with pytest.raises(error):
        do(vectors)


@pytest.mark.parametrize("name", ["", *(f"a-model/{file}" for file in FILES), "a-model", "a-model.lock"])
def test_a_link_that_a_clone_brought_is_not_written_through(
    vectors: Vectors, folder: Path, tmp_path: Path, name: str
) -> None:
    theirs = tmp_path / "theirs"
    if is_file := name.endswith(("marks", "rows", ".new", ".lock")):
        theirs.write_bytes(bytes(range(200)))
    else:
        theirs.mkdir()
    link = folder.parent / name
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(theirs)
    with pytest.raises(Refused):
        put(vectors, FIRST)
    assert theirs.read_bytes() == bytes(range(200)) if is_file else not list(theirs.iterdir())
