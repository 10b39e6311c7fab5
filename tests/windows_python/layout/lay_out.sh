#!/bin/bash
# A Windows CPython 3.11 under Wine, with minebot's dependencies as Windows wheels: lay_out.sh FOLDER
#
# Needs wine, wine64, tcl8.6 and tk8.6 (apt-get install), and a Linux Python 3.11, whose standard library is
# copied; PYTHON311 names it where it is not found. Then, with DISPLAY set and from the project's folder:
#     FOLDER/wpython -m bot.cli.main run --practice
# Safe to run again: it does only what is left to do. Exits with 3 where something that it needs is missing.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
[ $# = 1 ] || { echo "usage: lay_out.sh FOLDER" >&2; exit 2; }
missing() { echo "Windows' Python cannot be laid out: $1" >&2; exit 3; }
command -v wine >/dev/null || missing "there is no wine: apt-get install wine wine64"
[ -d /usr/share/tcltk/tk8.6 ] || missing "there are no scripts of Tk: apt-get install tcl8.6 tk8.6"
FOUND=$(for each in "$HOME"/.pyenv/versions/3.11.*/bin/python3 "$(command -v python3.11 || true)"; do
    [ -x "$each" ] && "$each" -c '' 2>/dev/null && echo "$each"; done | head -n 1)
PYTHON=${PYTHON311:-$FOUND}
[ -n "$PYTHON" ] || missing "there is no Python 3.11: set PYTHON311"
mkdir -p "$1"
ROOT=$(cd "$1" && pwd)
exec 9>"$ROOT/laying_out"
flock 9 # another one that lays it out is waited for
PY=$ROOT/py
SITE=$PY/Lib/site-packages
mkdir -p "$ROOT/dl" "$PY/DLLs"
[ -d "$ROOT/tools" ] || "$PYTHON" -m venv "$ROOT/tools"
PIP="$ROOT/tools/bin/python -m pip --quiet --disable-pip-version-check"
"$ROOT/tools/bin/python" -c 'import pefile, ziglang, hatchling' 2>/dev/null ||
    $PIP install pefile ziglang "hatchling>=1.25" || missing "its packages cannot be had"

# The interpreter: python311.dll and its modules come inside a wheel of panda3d.
if [ ! -f "$PY/python311.dll" ]; then
    $PIP download --platform win_amd64 --python-version 3.11 --only-binary=:all: --no-deps -d "$ROOT/dl" \
        panda3d==1.10.16 || missing "panda3d cannot be had"
    "$ROOT/tools/bin/python" "$HERE/unpack_interpreter.py" "$ROOT/dl" "$PY"
    cp -r "$("$PYTHON" -c 'import os; print(os.path.dirname(os.__file__))')" "$PY/Lib"
    rm -rf "$PY"/Lib/{site-packages,lib-dynload,test,config-*,__pycache__}
fi

# Wine takes an empty message for none: a pool of processes that is woken by one waited for ever.
POOL=$PY/Lib/concurrent/futures/process.py
if grep -q 'send_bytes(b"")' "$POOL"; then
    sed -i 's/self\._writer\.send_bytes(b"")/self._writer.send_bytes(b"wake")/' "$POOL"
fi
# Here once, and not at each start.
[ -d "$PY/Lib/__pycache__" ] || "$PYTHON" -m compileall -q "$PY/Lib" -x site-packages || true # some are no Python

# Tk's scripts are Debian's, told to be those of the DLLs, 8.6.12.
for part in tcl8.6 tk8.6; do
    if [ -d "/usr/share/tcltk/$part" ] && [ ! -d "$PY/tcl/$part" ]; then
        mkdir -p "$PY/tcl"
        cp -rL "/usr/share/tcltk/$part" "$PY/tcl/$part"
        sed -i -E 's/(package require -exact T(cl|k) +)8\.6\.[0-9]+/\18.6.12/' "$PY/tcl/$part"/*.tcl
    fi
done

# Pinned where repair_binaries.py changes a file. tests/test_workflow.py holds the list to pyproject.toml.
BINARY="numpy==2.3.5 numba==0.68.1 llvmlite==0.50.0 opencv-python-headless==4.12.0.88 msgspec mss Pillow
    tomli tomli-w click colorama rich markdown-it-py mdurl pygments prompt_toolkit wcwidth platformdirs threadpoolctl
    pytest iniconfig packaging pluggy pytest-timeout pytest-benchmark py-cpuinfo hypothesis attrs sortedcontainers
    ms_toollib"
PLAIN="pyautogui pygetwindow pyrect pyscreeze pytweening mouseinfo pymsgbox pyperclip"
mkdir -p "$SITE"
if [ "$(cat "$ROOT/packages" 2>/dev/null)" != "$BINARY $PLAIN" ]; then
    rm -rf "$SITE" "$ROOT/installed" # minebot with it
    # shellcheck disable=SC2086  # lists of words
    $PIP install --no-deps --platform win_amd64 --python-version 3.11 --only-binary=:all: --target "$SITE" $BINARY ||
        missing "its packages cannot be had"
    # shellcheck disable=SC2086
    $PIP install --no-deps --target "$SITE" $PLAIN || missing "its packages cannot be had"
    "$ROOT/tools/bin/python" "$HERE/repair_binaries.py" "$PY"
    printf '%s' "$BINARY $PLAIN" >"$ROOT/packages"
fi
ZIG="$ROOT/tools/bin/python -m ziglang cc -target x86_64-windows-gnu -nostdlib -fno-builtin -O1"
export ZIG_GLOBAL_CACHE_DIR=$ROOT/zig ZIG_LOCAL_CACHE_DIR=$ROOT/zig
[ -f "$PY/python.exe" ] ||
    $ZIG -Wl,-e,start -Wl,--subsystem,console -o "$PY/python.exe" "$HERE/launcher.c" -lkernel32 -lshell32
SHIM=$(cat "$PY/shim_name")
[ -f "$PY/$SHIM" ] ||
    $ZIG -shared -Wl,-e,DllMainCRTStartup -o "$PY/$SHIM" "$PY/complex_math.c" -lkernel32
[ -f "$PY/bcryptprimitives.dll" ] ||
    $ZIG -shared -Wl,-e,DllMainCRTStartup -o "$PY/bcryptprimitives.dll" "$HERE/bcryptprimitives.c" -ladvapi32

windows_path() { echo "Z:$1" | tr / '\\'; }
cat >"$ROOT/wpython" <<W
#!/bin/bash
# Windows' Python under Wine, or the PROGRAM of Windows. Streams have to be pipes: with a plain file Python ends
# with WinError 6.
export WINEPREFIX=\${WINEPREFIX:-$ROOT/prefix} WINEARCH=win64 WINEDEBUG=-all
export WINEDLLOVERRIDES="mscoree,mshtml,winedbg.exe="
export TCL_LIBRARY='$(windows_path "$PY/tcl/tcl8.6")' TK_LIBRARY='$(windows_path "$PY/tcl/tk8.6")'
wine "\${PROGRAM:-$PY/python.exe}" "\$@" </dev/null 2> >(cat >&2) | cat
exit "\${PIPESTATUS[0]}"
W
chmod +x "$ROOT/wpython"
in_prefix() { # Wine's server stays: it must not keep the lock
    WINEPREFIX=$ROOT/prefix WINEARCH=win64 WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" "$@" \
        >>"$ROOT/wineboot.log" 2>&1 9>&-
}
[ -d "$ROOT/prefix" ] || in_prefix wineboot -i
# For each file that is opened or looked at, Wine asks its manager of drives for the drive's serial number: that
# takes longer than all else. Without it the number is 0; a program of minebot starts in a third of the time.
if [ ! -f "$ROOT/prefix/without_mountmgr" ]; then
    in_prefix wine reg add 'HKLM\System\CurrentControlSet\Services\MountMgr' /v Start /t REG_DWORD /d 4 /f
    in_prefix wineserver -k || true
    touch "$ROOT/prefix/without_mountmgr"
fi
echo "ready: $ROOT/wpython"
