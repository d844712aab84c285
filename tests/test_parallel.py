"""Work in pieces: finished pieces are kept, whatever stopped the work."""

import pytest
from joblib import delayed

from conformal_roc_widget import parallel
from conformal_roc_widget.parallel import gather

QUIET = {"title": "t", "n_jobs": 1, "progress": False}


def square(i):
    if i == 3:
        raise RuntimeError("three")
    if i == 7:
        raise KeyboardInterrupt
    return {i: i * i}


def test_results_are_added_to_those_that_are_there_and_saved_once_at_the_end():
    done, saved = {9: 81}, []
    gather(map(delayed(square), range(3)), done, 3, lambda: saved.append(len(done)), **QUIET)
    assert done == {9: 81, 0: 0, 1: 1, 2: 4}
    assert saved == [4]


def test_nothing_new_is_not_saved():
    done, saved = {1: 1}, []
    gather([], done, 0, lambda: saved.append(1), **QUIET)
    assert (done, saved) == ({1: 1}, [])


def test_a_failure_leaves_the_results_before_it_saved():
    done, saved = {}, []
    with pytest.raises(RuntimeError, match="three"):
        gather(map(delayed(square), range(5)), done, 5, lambda: saved.append(dict(done)), **QUIET)
    assert saved == [done]
    assert done == {0: 0, 1: 1, 2: 4}


def test_an_interruption_ends_the_work_with_a_warning_once_something_is_done():
    done, saved = {}, []
    with pytest.warns(UserWarning, match="interrupted after 2 of 4 replicates"):
        gather(
            map(delayed(square), [5, 6, 7, 8]), done, 4, lambda: saved.append(dict(done)), **QUIET
        )
    assert saved == [{5: 25, 6: 36}]
    with pytest.raises(KeyboardInterrupt):
        gather(map(delayed(square), [7]), {}, 1, list, **QUIET)


def test_long_work_is_saved_on_the_way(monkeypatch):
    monkeypatch.setattr(parallel, "SAVE_EVERY", -1.0)
    done, saved = {}, []
    gather(map(delayed(square), range(3)), done, 3, lambda: saved.append(len(done)), **QUIET)
    assert saved == [1, 2, 3, 3]
