#!/bin/sh
# Starts the current version of an installation of the person's own, switches to one that waits for a restart, and goes
# back by itself when that does not come up. `lime_desktop/shipping/installation.py` says what lies where.
#
# A script of the system's shell: it needs nothing of any version, so that a broken one cannot break it too.

set -u
most_attempts=2

me=$0
while [ -h "$me" ]; do
    to=$(readlink "$me") || break
    case $to in
        /*) me=$to ;;
        *) me=$(dirname "$me")/$to ;;
    esac
done
# A brand's launcher has the brand's name, and so has the program in its versions.
name=${me##*/}
root=$(cd -P "$(dirname "$me")/.." && pwd) || exit 1
update=$root/update

program_of() { printf '%s' "$root/versions/$1/$name"; }

is_usable() { [ -n "$1" ] && [ -f "$(program_of "$1")" ] && [ -x "$(program_of "$1")" ]; }

read_current() {
    current=$(readlink "$root/current" 2>/dev/null) || current=
    current=${current##*/}
}

# In one step: whoever looks finds the old version or the new one.
point_at() {
    rm -f "$root/current.$$"
    ln -s "versions/$1" "$root/current.$$" || return 1
    mv -fT "$root/current.$$" "$root/current" 2>/dev/null ||
        mv -fh "$root/current.$$" "$root/current" 2>/dev/null || {
        rm -f "$root/current.$$"
        return 1
    }
    current=$1
}

read_pending() {
    new= old=
    [ -f "$update/pending" ] && read -r new old <"$update/pending"
    case $new$old in */* | *..*) new= old= ;; esac
    [ -n "$new" ] && [ -n "$old" ]
}

# Also after it was cut short in the middle: each step may be done twice.
go_back() {
    is_usable "$old" || return 1
    point_at "$old" || return 1
    mv -f "$update/pending" "$update/returned"
    rm -f "$update/attempts"
}

count_attempts() {
    attempts=0
    [ -f "$update/attempts" ] || return 0
    while read -r _; do attempts=$((attempts + 1)); done <"$update/attempts"
}

# A command of the terminal shows no window, and so cannot show that a version works.
opens_window() {
    case ${1-} in
        '' | open | lime:* | *.lapp) ;;
        *) [ -d "$1" ] || return 1 ;;
    esac
    # Without a screen no version comes up; that is nobody's fault.
    [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}${QT_QPA_PLATFORM-}" ] || [ "$(uname)" = Darwin ]
}

# When a process began, so that another one with its number is not taken for it.
began() {
    if [ -r "/proc/$1/stat" ] && read -r line <"/proc/$1/stat" 2>/dev/null; then
        set -- ${line##*) }
        printf '%s' "${20}"
    else
        printf '%s' -
    fi
}

# The version of a window that is open: a second start speaks to it, and is no try of another version.
read_running() {
    running=
    [ -f "$update/running" ] || return 1
    read -r pid since running <"$update/running" || return 1
    kill -0 "$pid" 2>/dev/null && [ "$(began "$pid")" = "$since" ] && is_usable "$running"
}

note_running() {
    printf '%s %s %s\n' "$$" "$(began $$)" "$current" >"$update/running.$$" 2>/dev/null &&
        mv -f "$update/running.$$" "$update/running" 2>/dev/null
}

find_any() {
    is_usable "$current" && return 0
    if read_pending && is_usable "$old"; then
        go_back && return 0
    fi
    for folder in "$root"/versions/*/; do
        folder=${folder%/}
        is_usable "${folder##*/}" && found=${folder##*/}
    done
    if [ -n "${found-}" ]; then
        point_at "$found" || current=$found
        return 0
    fi
    echo "$name: no version is installed in $root/versions. Install it again." >&2
    exit 1
}

read_current
if ! opens_window "$@"; then
    find_any
    exec "$(program_of "$current")" "$@"
fi

if read_running; then
    exec "$(program_of "$running")" "$@"
fi

on_trial=
if read_pending; then
    count_attempts
    if [ "$attempts" -ge "$most_attempts" ]; then
        go_back || :
    elif [ "$current" = "$new" ]; then
        on_trial=1
    elif is_usable "$new" && point_at "$new"; then
        on_trial=1
    fi
fi
find_any
note_running

# Without a note of the try there would be no end of them: then it is not tried.
if [ -n "$on_trial" ] && [ "$current" = "$new" ]; then
    if echo try >>"$update/attempts"; then
        tried=$current
        "$(program_of "$tried")" "$@"
        code=$?
        # It has shown that it works, it was left by the person, or somebody else ended it.
        read_pending && [ "$new" = "$tried" ] || exit "$code"
        case $code in 0 | 129 | 130 | 137 | 143) exit "$code" ;; esac
        go_back || exit "$code"
        note_running
        echo "$name: version $new did not start; $old is back." >&2
    else
        go_back || :
    fi
fi
exec "$(program_of "$current")" "$@"
