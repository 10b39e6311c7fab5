from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time

import pytest

from bot.process.interrupts import AGAIN_S, not_swallowed, uninterrupted


@pytest.fixture(autouse=True)
def _python_s_own_handler() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_ctrl_c_waits_for_the_end_of_the_body() -> None:
    done = []

    @uninterrupted()
    def body() -> None:
        signal.raise_signal(signal.SIGINT)
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
        done.append(True)

    with pytest.raises(KeyboardInterrupt):
        body()
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_of_the_body_does_not_swallow_it() -> None:
    @uninterrupted()
    def body(interrupted: bool) -> None:
        if interrupted:
            signal.raise_signal(signal.SIGINT)
        raise ValueError("own")

    with pytest.raises(KeyboardInterrupt):
        body(interrupted=True)
    with pytest.raises(ValueError, match="own"):
        body(interrupted=False)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_are_let_alone() -> None:
    def body() -> None:
        with uninterrupted():
            done.append(True)

    done: list[bool] = []
    thread = threading.Thread(target=body)
    thread.start()
    thread.join()
    assert done == [True]


def test_a_polite_kill_waits_too() -> None:
    def leave(_number: int, _frame: object) -> None:
        raise SystemExit(143)

    @uninterrupted()
    def body() -> None:
        signal.raise_signal(signal.SIGTERM)
        done.append(True)

    before = signal.signal(signal.SIGTERM, leave)
    done: list[bool] = []
    try:
        with pytest.raises(SystemExit):
            body()
        assert done
        assert signal.getsignal(signal.SIGTERM) is leave
    finally:
        signal.signal(signal.SIGTERM, before)


def drop_a_ctrl_c() -> None:
    """Python raises nothing out of a callback from C."""
    ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))()


def test_a_ctrl_c_that_a_callback_from_c_drops_is_raised_a_moment_later() -> None:
    def goes_on() -> None:
        drop_a_ctrl_c()
        until = time.monotonic() + 20
        while time.monotonic() < until:
            time.sleep(0.01)
        pytest.fail("nothing was raised")

    hook = sys.unraisablehook
    with pytest.raises(KeyboardInterrupt), not_swallowed():
        goes_on()
    assert sys.unraisablehook is hook


def test_it_is_raised_at_the_end_at_the_latest_and_only_once() -> None:
    with pytest.raises(KeyboardInterrupt), not_swallowed():
        drop_a_ctrl_c()
    time.sleep(4 * AGAIN_S)


def test_what_a_dropped_ctrl_c_breaks_is_not_told() -> None:
    def broken() -> None:
        drop_a_ctrl_c()
        raise RuntimeError("no compiled object yet")

    with pytest.raises(KeyboardInterrupt), not_swallowed():
        broken()


def test_without_a_ctrl_c_nothing_is_raised_but_what_goes_wrong() -> None:
    with not_swallowed():
        pass
    with pytest.raises(RuntimeError), not_swallowed():
        raise RuntimeError
