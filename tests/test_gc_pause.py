"""While a document is worked on garbage is sought less often, and as usual afterwards."""

import gc
import threading

import pytest

import paxman
from paxman.gc_pause import OBJECTS, collecting_less


@pytest.fixture(autouse=True)
def usual():
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_the_pace_is_the_usual_one_again_when_the_last_thread_is_done():
    entered, leave = threading.Event(), threading.Event()

    def stay():
        with collecting_less():
            entered.set()
            leave.wait()

    other = threading.Thread(target=stay)
    with collecting_less():
        other.start()
        entered.wait()
    assert gc.get_threshold() == (OBJECTS, 10, 10)
    leave.set()
    other.join()
    assert gc.get_threshold() == (700, 10, 10)


def test_a_pace_of_the_callers_own_is_kept():
    with collecting_less():
        gc.set_threshold(5_000, 10, 10)
    assert gc.get_threshold() == (5_000, 10, 10)
    gc.set_threshold(0, 10, 10)
    with collecting_less():
        assert gc.get_threshold() == (0, 10, 10)
    assert gc.get_threshold() == (0, 10, 10)


def test_normalizing_leaves_the_pace_as_it_was():
    contract = {"id": "c", "version": "1", "fields": [{"name": "total", "type": "MONEY", "required": True}]}
    paxman.normalize("Total: EUR 5.00", contract)
    assert gc.get_threshold() == (700, 10, 10)
    with pytest.raises(TypeError):
        paxman.normalize(5, contract)
    assert gc.get_threshold() == (700, 10, 10)
