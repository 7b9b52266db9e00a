# SPDX-License-Identifier: Apache-2.0
# In the guest of sessions.py: it is looked at from outside after each "shown".
show_state() {
    sleep 1 # what programs left goes when the kernel has come to it
    say "shown $1"
    sleep 6
    say "gone $1"
}
read -r warm count seed </sessions
guest_sessions "$warm" 1 >/log 2>&1
show_state before
guest_sessions "$count" "$seed" >/log 2>&1
code=$?
say "status $code, $(tail -n 1 /log)"
[ $code -eq 0 ] || tail -n 20 /log >/dev/ttyS0
show_state after
