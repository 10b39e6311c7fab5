#!/bin/sh
# Installs minebot into .venv, and the system packages that playing a window needs where they are missing.
#
#   ./install.sh          what `make run` needs
#   ./install.sh --test   what `make test` needs besides: test tools, Wine, a window manager
#
# As root or with sudo, on Debian and Ubuntu; elsewhere it says what is missing and goes on without.
# Safe to run again: it does only what is left to do, and mends a .venv that was left half made.
set -eu
cd "$(dirname "$0")"

VENV=.venv
STAMP=$VENV/minebot.stamp           # what was installed; written last
UNFINISHED=$VENV/minebot.unfinished # there while an installation runs, and after one that was killed

# Libraries that the OpenCV wheel and mss load, each with its package.
# "a|b" is the name in newer releases and the one before.
LIBRARIES="libGL.so.1:libgl1
libgthread-2.0.so.0:libglib2.0-0t64|libglib2.0-0
libX11.so.6:libx11-6
libxcb.so.1:libxcb1
libxcb-randr.so.0:libxcb-randr0
libxcb-render.so.0:libxcb-render0
libxcb-shm.so.0:libxcb-shm0
libxcb-xfixes.so.0:libxcb-xfixes0"

# Programs that drive the real windows and terminals in the tests, each with its package.
# chromium is named so on Debian; on Ubuntu it is a snap, which containers cannot run: the tests then skip.
TEST_PROGRAMS="wine:wine wine64:wine64 openbox:openbox xdotool:xdotool xprop:x11-utils tmux:tmux
gnome-mines:gnome-mines dbus-run-session:dbus-daemon gapplication:libglib2.0-bin xdemineur:xdemineur chromium:chromium
sway:sway swaylock:swaylock mutter:mutter pipewire:pipewire wireplumber:wireplumber
/usr/libexec/xdg-desktop-portal-gnome:xdg-desktop-portal-gnome"

# Debian keeps its games in a folder that is not on root's PATH.
PATH=$PATH:/usr/games

EXTRA=run
case "${1:-}" in
    "") ;;
    --test) EXTRA=test ;;
    *) echo "usage: ./install.sh [--test]" >&2; exit 2 ;;
esac

LOG=$(mktemp)
trap 'rm -f "$LOG"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say() { echo "install: $*"; }
fail() { echo "install: $*" >&2; exit 1; }

# Runs a command quietly; what it printed is shown only where it fails.
quietly() {
    "$@" >"$LOG" 2>&1 </dev/null && return 0
    tail -n 15 "$LOG" >&2
    return 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# --- system packages ---------------------------------------------------------------------------

# Sets SUDO to what makes a command run as root; fails where nothing does.
become_root() {
    SUDO=
    [ "$(id -u)" = 0 ] && return 0
    has sudo || return 1
    SUDO=sudo
    # Without a password, or with somebody there to type it.
    sudo -n true 2>/dev/null || [ -t 0 ]
}

# Of "a|b", the first name that apt knows; else the last.
known_name() {
    for name in $(echo "$1" | tr '|' ' '); do
        apt-cache show "$name" >/dev/null 2>&1 && break
    done
    echo "$name"
}

apt_once() {
    names=
    for package in "$@"; do names="$names $(known_name "$package")"; done
    # shellcheck disable=SC2086  # names are words; a fresh machine's own updates may hold the lock
    $SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        -o DPkg::Lock::Timeout=120 -o Acquire::Retries=2 $names >"$LOG" 2>&1 </dev/null 9<&-
}

# Installs packages; one that cannot be had is named, and the rest are installed. Fails if any was.
apt_install() {
    if ! has apt-get; then
        say "missing: $* (named as on Debian); there is no apt-get here to install them with"
        return 1
    fi
    if ! become_root; then
        say "missing: $*. Run this as root or with sudo, or: apt-get install $(echo "$*" | sed 's/[^ ]*|//g')"
        return 1
    fi
    say "installing system packages: $(echo "$*" | sed 's/[^ ]*|//g')"
    apt_once "$@" && return 0
    # No package lists yet, old ones, or an earlier installation that was cut short.
    $SUDO dpkg --configure -a >"$LOG" 2>&1 </dev/null 9<&- || true
    $SUDO apt-get update -q -o Acquire::Retries=2 >"$LOG" 2>&1 </dev/null || true
    apt_once "$@" && return 0
    all=0
    for package in "$@"; do
        apt_once "$package" && continue
        all=1
        say "could not install $(known_name "$package"): $(grep '^E:' "$LOG" | head -n 1)"
    done
    return $all
}

# Prints the packages of the libraries that the Python given cannot load.
missing_libraries() {
    for pair in $LIBRARIES; do
        "$1" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "${pair%%:*}" 2>/dev/null || echo "${pair#*:}"
    done
}

missing_programs() {
    has Xvfb || echo xvfb
    [ "$EXTRA" = test ] || return 0
    for pair in $TEST_PROGRAMS; do
        has "${pair%%:*}" || [ -e "/usr/lib/wine/${pair%%:*}" ] || echo "${pair#*:}"
    done
}

# --- Python ------------------------------------------------------------------------------------

# Whether a Python is new enough and can import the modules named after it.
python_has() {
    python=$1
    shift
    "$python" - "$@" >/dev/null 2>&1 <<'END'
import importlib, sys
assert (3, 10) <= sys.version_info[:2] <= (3, 14)
for name in sys.argv[1:]:
    importlib.import_module(name)
END
}

# Prints the first Python that has the modules named; names that only look like one (pyenv) are passed over.
first_python() {
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python3.10 /usr/bin/python3; do
        has "$candidate" || continue
        if python_has "$candidate" "$@"; then
            command -v "$candidate"
            return 0
        fi
    done
    return 1
}

# Prints what the system's own Python lacks; it is itself the first.
missing_for_python() {
    has /usr/bin/python3 || echo python3
    python_has /usr/bin/python3 venv ensurepip || echo python3-venv
    python_has /usr/bin/python3 tkinter || echo python3-tk
}

# Sets PYTHON to the interpreter for .venv, installing what the system's own lacks where no other will do.
choose_python() {
    PYTHON=$(first_python venv ensurepip tkinter) && return 0
    # shellcheck disable=SC2046  # packages are words
    apt_install $(missing_for_python) || true
    PYTHON=$(first_python venv ensurepip tkinter) && return 0
    if PYTHON=$(first_python venv ensurepip); then
        say "$PYTHON has no tkinter: windows cannot be played, only --virtual (package python3-tk)"
        return 0
    fi
    fail "no Python 3.10 to 3.14 with venv was found: install one, python3-venv and python3-tk, and run this again"
}

# --- .venv -------------------------------------------------------------------------------------

# What an installation depends on. A checkout that was moved or copied needs a new .venv.
fingerprint() { echo "$(cat pyproject.toml install.sh executable/minebot.sh bot/__init__.py | cksum) $PWD"; }

installed() {
    [ -f "$STAMP" ] && [ ! -e "$UNFINISHED" ] || return 1
    [ "$(head -n 1 "$STAMP")" = "$(fingerprint)" ] || return 1
    [ "$EXTRA" = run ] || grep -qx test "$STAMP" || return 1
    whole
}

# Whether minebot starts, and every package that it needs is there.
whole() {
    "$VENV/bin/python" - >/dev/null 2>&1 <<'END'
import re
from importlib.metadata import distribution, requires
import bot.cli.main
for each in requires("minebot"):
    if ";" not in each:
        distribution(re.match(r"[\w.-]+", each)[0])
END
}

# Whether .venv is whole, new enough and made for this folder: by us, or by hand.
usable_venv() {
    [ ! -e "$UNFINISHED" ] || return 1
    [ ! -f "$STAMP" ] || [ "$(head -n 1 "$STAMP" | cut -d ' ' -f 3-)" = "$PWD" ] || return 1
    python_has "$VENV/bin/python" pip
}

make_venv() {
    ! usable_venv || return 0
    choose_python
    [ ! -e "$VENV" ] || say "$VENV is half made, broken or from another folder: making it again"
    rm -rf "$VENV"
    mkdir "$VENV"
    : >"$UNFINISHED"
    say "making $VENV with $PYTHON"
    quietly "$PYTHON" -m venv "$VENV" || fail "$PYTHON -m venv $VENV failed"
}

# Puts our own command in the place of pip's, where `env` can do what it needs.
write_command() {
    ! env --block-signal=INT true 2>/dev/null || cat executable/minebot.sh >"$VENV/bin/minebot"
}

install_minebot() {
    what=.
    # What the tests need stays: once installed, it is kept up to date.
    if [ "$EXTRA" = test ] || grep -qx test "$STAMP" 2>/dev/null; then what='.[test]' EXTRA=test; fi
    say "installing minebot and the packages it needs (a minute or two the first time)"
    : >"$UNFINISHED"
    rm -f "$STAMP"
    quietly "$VENV/bin/python" -m pip install --disable-pip-version-check -e "$what" ||
        fail "pip could not install minebot: see the lines above"
    write_command
    { fingerprint; echo "$EXTRA"; } >"$STAMP"
    rm -f "$UNFINISHED"
}

# Where the libraries of OpenCV's usual build cannot be had, its build for servers reads pictures as well.
opencv_without_libraries() {
    "$VENV/bin/python" -c 'import cv2' 2>/dev/null && return 0
    say "using OpenCV's build that needs none of these libraries (opencv-python-headless)"
    quietly "$VENV/bin/python" -m pip uninstall --yes opencv-python opencv-python-headless || true
    quietly "$VENV/bin/python" -m pip install --disable-pip-version-check opencv-python-headless ||
        fail "pip could not install opencv-python-headless: see the lines above"
}

# Another installation in this folder is waited for: it would find a .venv that is half made, and remove it.
# The folder itself is what is locked; a program that stays (what apt starts) must not keep it.
alone() {
    has flock || return 0
    exec 9<.
    flock -n 9 && return 0
    say "another installation is at work in this folder: waiting for it"
    flock 9 || true
}

main() {
    alone
    if ! installed; then
        make_venv
        install_minebot
        if ! whole; then # pip takes a package for installed whose files are gone
            : >"$UNFINISHED"
            make_venv
            install_minebot
        fi
    fi
    python_has "$VENV/bin/python" tkinter || apt_install python3-tk || true
    packages="$(missing_programs) $(missing_libraries "$VENV/bin/python")"
    # shellcheck disable=SC2086  # packages are words
    set -- $packages
    [ $# = 0 ] || apt_install "$@" || opencv_without_libraries
}

main
