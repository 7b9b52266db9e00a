#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What a guest with a desktop runs in its Debian root (root.sh). desktop.sh show weston|xorg: that desktop, with
# a terminal. desktop.sh test [NAME...]: weston, xorg, sdl (an SDL 2 program), kmscube, chosen (kmscube, where Mesa
# chooses its driver) and turns (turns.py) in turn, or
# those named; each has a picture that stands still for some seconds. The serial line says "shown NAME" and "gone NAME".
export PATH=/usr/sbin:/usr/bin XDG_RUNTIME_DIR=/run/user HOME=/root LANG=C.UTF-8 LIBGL_ALWAYS_SOFTWARE=1
say() { echo "guest: $*" >/dev/ttyS0; }
mkdir -p /run/user /tmp/.X11-unix /var/log && chmod 700 /run/user

# Until the command is true. False after the process has ended, or 15 minutes: the end of its log is said.
await() { # LOG PROCESS COMMAND...
    local log=$1 process=$2
    shift 2
    for _ in $(seq 900); do
        "$@" && return 0
        kill -0 "$process" 2>/dev/null || break
        sleep 1
    done
    say "failed: $*"
    tail -n 20 "$log" >/dev/ttyS0
    return 1
}
# Is a program of this name at its end: in exit_group, which is number 231?
is_ending() {
    local process
    for process in /proc/[0-9]*; do
        [ "$(cat "$process/comm" 2>/dev/null)" = "$1" ] && grep -q '^231 ' "$process/syscall" && return 0
    done
    return 1
}
hold() { # NAME
    sleep 3 # what is drawn last is shown after that
    say "shown $1"
    sleep 8
    say "gone $1"
}
# The same in each run, with all of a terminal's colours. Then it waits.
cat >/run/colours <<'END'
#!/bin/bash
printf '\033[2J\033[H\033[?25lA terminal in Linux, drawn by the GPU\n\n'
for row in 3 4 9 10; do
    for colour in 0 1 2 3 4 5 6 7; do printf '\033[%sm %s \033[0m' $((row * 10 + colour)) $((row * 10 + colour)); done
    echo
done
echo drawn >/run/drawn
sleep 1000000
END
chmod +x /run/colours

start_weston() { # SHELL OF THE TERMINAL
    printf '%s\n' '[core]' 'idle-time=0' 'require-input=false' '[shell]' 'panel-position=none' 'animation=none' \
        'startup-animation=none' 'close-animation=none' 'background-color=0xff204060' '[terminal]' 'font-size=14' \
        >/run/weston.ini
    printf '%s\n' '[autolaunch]' "path=$1" >>/run/weston.ini
    LIBSEAT_BACKEND=seatd setsid seatd-launch -- weston --backend=drm --renderer=pixman --config=/run/weston.ini \
        >/run/weston.log 2>&1 &
}
start_xorg() { # OPTION...
    Xorg :0 vt1 -noreset -nolisten tcp -s 0 "$@" >/run/xorg.log 2>&1 &
    export DISPLAY=:0
    for _ in $(seq 120); do [ -S /tmp/.X11-unix/X0 ] && break; sleep 1; done
}
terminal() { # PROGRAM
    xterm -geometry 80x24+40+40 -fa 'DejaVu Sans Mono' -fs 12 +bc "$@" >/run/xterm.log 2>&1 &
}
ended() { # PROCESS: with its group, before the next begins
    kill -- "-$1" "$1" 2>/dev/null
    wait "$1" 2>/dev/null
    sleep 1
}

test_weston() {
    rm -f /run/drawn
    printf '#!/bin/sh\nexec weston-terminal --shell=/run/colours\n' >/run/terminal && chmod +x /run/terminal
    start_weston /run/terminal
    local weston=$!
    await /run/weston.log $weston [ -e /run/drawn ] && hold weston
    ended $weston
}
test_xorg() {
    rm -f /run/drawn
    start_xorg -nocursor
    local xorg=$!
    terminal -e /run/colours
    await /run/xorg.log $xorg [ -e /run/drawn ] && hold xorg
    ended $xorg
}
# Its third picture stays, because the program's end is delayed. It would end early at the end of its input, which a
# pipe that is open for writing has not.
test_kmscube() { # NAME OF THE PICTURE
    rm -f /run/input /run/strace && mkfifo /run/input
    strace -f -o /run/strace -e trace=exit_group -e inject=exit_group:delay_enter=30000000 kmscube -c 3 \
        <>/run/input >/run/kmscube.log 2>&1 &
    local cube=$!
    await /run/kmscube.log $cube is_ending kmscube && hold ${1:-kmscube}
    kill -9 $cube # its program goes with it
    ended $cube
}
# The same where Mesa chooses: it finds no capability set that it knows.
test_chosen() { (unset LIBGL_ALWAYS_SOFTWARE && test_kmscube chosen); }
test_sdl() {
    SDL_VIDEODRIVER=kmsdrm python3 -u /run/sdl.py >/run/sdl.log 2>&1 &
    local sdl=$!
    await /run/sdl.log $sdl grep -q drawn /run/sdl.log && hold sdl
    ended $sdl
}
# 17 pictures of 3 MB are three times local memory.
test_turns() {
    python3 -u /run/turns.py 17 >/dev/ttyS0 2>&1
}
cat >/run/sdl.py <<'END'
import ctypes
import sys
import time
sdl = ctypes.CDLL('libSDL2-2.0.so.0')
sdl.SDL_CreateWindow.restype = sdl.SDL_CreateRenderer.restype = ctypes.c_void_p
sdl.SDL_GetError.restype = ctypes.c_char_p
def wanted(is_good):
    if not is_good:
        sys.exit(sdl.SDL_GetError().decode())
wanted(sdl.SDL_Init(0x20) == 0)
window = sdl.SDL_CreateWindow(b'still', 0, 0, 1024, 768, 0x1001)
wanted(window)
renderer = ctypes.c_void_p(sdl.SDL_CreateRenderer(ctypes.c_void_p(window), -1, 0))
wanted(renderer)
sdl.SDL_ShowCursor(0)
for turn in range(3):
    sdl.SDL_SetRenderDrawColor(renderer, 20, 30, 60, 255)
    sdl.SDL_RenderClear(renderer)
    for i in range(64):
        sdl.SDL_SetRenderDrawColor(renderer, 4 * i, 255 - 3 * i, 37 * i % 256, 255)
        sdl.SDL_RenderFillRect(renderer, (ctypes.c_int * 4)(16 * i, 11 * i, 40 + i, 30 + 2 * i))
        sdl.SDL_RenderDrawLine(renderer, 0, 12 * i, 1023, 767 - 12 * i)
    sdl.SDL_RenderPresent(renderer)
print('drawn')
time.sleep(60)
END

/usr/lib/systemd/systemd-udevd --daemon && udevadm trigger && udevadm settle
case $1-$2 in
    test-*)
        shift
        for program in ${*:-weston xorg sdl kmscube chosen turns}; do test_$program; done ;;
    show-xorg)
        start_xorg
        terminal
        wait ;;
    *)
        start_weston /usr/bin/weston-terminal
        wait ;;
esac
