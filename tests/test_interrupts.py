from __future__ import annotations

import contextlib
import ctypes
import enum
import gc
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest

from bot.process.interrupts import (
    AGAIN_S,
    end_silently,
    interrupt,
    not_swallowed,
    stop,
    stop_like_ctrl_c,
    uninterrupted,
)


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


def test_our_own_handler_waits_without_being_replaced() -> None:
    signal.signal(signal.SIGINT, interrupt)
    done = []

    @uninterrupted()
    def body() -> None:
        assert signal.getsignal(signal.SIGINT) is interrupt
        with uninterrupted():
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        done.append(True)

    with pytest.raises(KeyboardInterrupt):
        body()
    assert done
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


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


def test_what_tells_a_ctrl_c_as_another_error_counts_as_one() -> None:
    """Before Python 3.12, that is so where a class that is being made names its attributes."""
    for cause, told in ((KeyboardInterrupt(), KeyboardInterrupt), (ValueError("own"), RuntimeError)):
        with pytest.raises(told), not_swallowed():
            raise RuntimeError("Error calling __set_name__") from cause


def test_a_second_ctrl_c_while_the_first_is_kept_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(threading.Timer):
        def start(self) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(threading, "Timer", Interrupted)
    with pytest.raises(KeyboardInterrupt), not_swallowed():
        drop_a_ctrl_c()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="Windows holds no signals back")
def test_a_ctrl_c_that_was_held_back_is_raised_where_minebot_begins_to_listen() -> None:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            stop_like_ctrl_c()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def test_once_all_is_told_a_signal_ends_the_process_and_what_is_ignored_stays_so() -> None:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        stop_like_ctrl_c()
        end_silently()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_DFL
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_without_a_ctrl_c_nothing_is_raised_but_what_goes_wrong() -> None:
    with not_swallowed():
        pass
    with pytest.raises(RuntimeError), not_swallowed():
        raise RuntimeError


ANSWER = """
def answer(cls, name):
    if not cls.asked:
        cls.asked = True
        signal.raise_signal(signal.SIGINT)
    raise AttributeError(name)
"""


def asked() -> type:
    """A class that is interrupted when numpy first asks it for attributes, as an enumeration may be."""
    space: dict[str, Any] = {"signal": signal}
    exec(compile(ANSWER, enum.__file__, "exec"), space)
    kind: type = type("Asking", (type,), {"__getattr__": space["answer"]})("Asked", (), {"asked": False})
    return kind


def compare_and_wait(kind: type) -> None:
    """numpy loses what the class raises."""
    assert (np.zeros(2) == kind()).tolist() == [False, False]
    until = time.monotonic() + 20
    while time.monotonic() < until:
        time.sleep(0.01)


def test_a_ctrl_c_that_numpy_loses_is_raised_again() -> None:
    stop_like_ctrl_c()
    assert signal.getsignal(signal.SIGINT) is interrupt
    with pytest.raises(KeyboardInterrupt):
        compare_and_wait(asked())


def test_a_polite_kill_that_numpy_loses_is_raised_again_and_no_second_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bot.process.interrupts._came", [])
    before = signal.signal(signal.SIGTERM, stop)
    monkeypatch.setattr(signal, "SIGINT", signal.SIGTERM)  # what `asked` raises
    try:
        with pytest.raises(KeyboardInterrupt):
            compare_and_wait(asked())
        signal.raise_signal(signal.SIGTERM)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_one_that_is_caught_is_not_raised_again() -> None:
    stop_like_ctrl_c()
    caught = 0

    def catches() -> None:
        nonlocal caught
        try:
            with contextlib.suppress(ValueError):
                signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            caught += 1

    catches()
    with pytest.raises(KeyboardInterrupt) as kept:
        signal.raise_signal(signal.SIGINT)
    del kept
    with pytest.raises(SystemExit):
        leaves()
    gc.collect()
    time.sleep(4 * AGAIN_S)  # it would be raised here at the latest
    assert caught == 1


def leaves() -> None:
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        sys.exit(130)


COMPARED = """
import signal

import numpy as np

from bot.process.interrupts import interrupt
from bot.vision.grid import same_pixels

signal.signal(signal.SIGALRM, interrupt)
one, other = np.zeros((48, 48, 3), np.uint8), np.zeros((48, 48, 3), np.uint8)
stopped = 0
for _ in range(2000):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0003)
        while same_pixels(one, other):
            pass
    except KeyboardInterrupt:
        stopped += 1
print(stopped)
"""
"""Is interrupted 2,000 times while it compares pictures."""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timers that send signals")
def test_a_ctrl_c_while_pictures_are_compared_is_no_crash() -> None:
    # Where OpenCV was to tell the two pictures' norm, Python crashed within a hundred interrupts.
    done = subprocess.run([sys.executable, "-c", COMPARED], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout.strip()) == (0, "2000"), done.stderr


NAMED = """
import signal
import sys

from bot.process.interrupts import interrupt, not_swallowed


class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == "unicodedata":
            interrupt(signal.SIGINT)


sys.meta_path.insert(0, Interrupted())
for _ in range(2):
    try:
        with not_swallowed():
            compile(r"'\\N{BULLET}'", "named", "eval")
    except KeyboardInterrupt:
        print("stopped")
        sys.meta_path.pop(0)
"""


def test_one_that_the_compiler_tells_as_a_wrong_text_counts_as_one() -> None:
    """It imports the names of characters when it first meets one: the program began with a SyntaxError."""
    done = subprocess.run([sys.executable, "-c", NAMED], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "stopped\n", "")
