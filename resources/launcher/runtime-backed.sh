#!/bin/sh
# Starts @NAME@ on the Lime Desktop that is installed on this computer. Written by `lime-desktop ship --runtime-backed`.
#
#   @ID@ --check [--json]     say which Lime Desktop it would start, or what is missing
#
# A script of the system's shell: it needs nothing that a system may lack. Which program it starts is written in two files
# at most, the system's and the person's own; no variable of the environment can name another, or change what that loads.

set -u
unset -f [ cat cut dirname env find getent grep head id kdialog notify-send printf read sed sha256sum sort tr xdg-open \
    xmessage zenity 2>/dev/null
given_path=${PATH-}
PATH=/usr/bin:/bin
for name in $(env | sed -n \
    -e 's/^\(LD_[A-Za-z0-9_]*\)=.*/\1/p' -e 's/^\(PYTHON[A-Za-z0-9_]*\)=.*/\1/p' \
    -e 's/^\(_PYI_[A-Za-z0-9_]*\)=.*/\1/p' -e 's/^\(PYINSTALLER_[A-Za-z0-9_]*\)=.*/\1/p' \
    -e 's/^\(Q[A-Z0-9_]*_PATH\)=.*/\1/p' -e 's/^\(LIME_DESKTOP_BRAND\)=.*/\1/p'); do
    unset "$name"
done

product=@ID@
name=@SAID_NAME@
scheme=@SCHEME@
link=@LINK@
page=needs-lime.html
lowest=@LOWEST@
highest=@HIGHEST@
sidecar_name=@SIDECAR@
platforms=@PLATFORMS@
must_be_verified=@VERIFIED@
# The hashes of program and sidecar in each release that the publisher accepts; none accepts any.
releases=@RELEASES@
system_registry=/usr/share/lime-runtime
own_registry=.local/share/lime-runtime

me=$(id -u)
home=$(getent passwd "$me" | cut -d: -f6)
file_name=lime-desktop.json

words() {
    case $language:$1 in
@WORDS@
    esac
}

exit_code() {
    case $1 in
    runtime-missing) echo 10 ;;
    runtime-too-old) echo 11 ;;
    runtime-too-new) echo 12 ;;
    runtime-changed) echo 13 ;;
    runtime-not-runnable) echo 14 ;;
    runtime-unsafe) echo 15 ;;
    runtime-unreadable) echo 16 ;;
    runtime-unverified) echo 17 ;;
    runtime-sidecar) echo 18 ;;
    runtime-platform) echo 19 ;;
    esac
}

case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in
zh*) language=zh ;;
*) language=en ;;
esac

# Only root and this user can change it, and nobody else can put another in its place.
is_safe() {
    at=$1
    [ -n "$(find "$at" -prune -type f \( -user 0 -o -user "$me" \) ! -perm -020 ! -perm -002 2>/dev/null)" ] || return 1
    at=$(cd -P "$(dirname "$at")" 2>/dev/null && pwd -P) || return 1
    while :; do
        [ -n "$(find "$at" -prune -type d \( -user 0 -o -user "$me" \) \( ! -perm -002 -o -perm -1000 \) 2>/dev/null)" ] ||
            return 1
        [ "$at" != / ] || return 0
        at=$(dirname "$at")
    done
}

# The value of a field of text; a file that has it twice, or not as Lime Desktop writes it, has none.
field() { sed -n "s/^ \"$1\": \"\([^\"\\\\]*\)\",\{0,1\}\$/\1/p" "$2"; }

is_one_line() { [ -n "$1" ] && [ "$(printf '%s\n' "$1" | grep -c '')" = 1 ]; }

is_sha256() { [ ${#1} = 64 ] && case $1 in *[!0-9a-f]*) return 1 ;; esac; }

is_version() {
    case $1 in '' | *[!0-9A-Za-z.-]*) return 1 ;; [0-9]*.[0-9]*.[0-9]*) return 0 ;; esac
    return 1
}

# What comes before a release is less than it: `sort` knows that of a tilde.
is_less() {
    [ "$1" != "$2" ] || return 1
    [ "$(printf '%s\n%s\n' "$1" "$2" | sed 's/-/~/' | LC_ALL=C sort -V | head -n 1 | sed 's/~/-/')" = "$1" ]
}

is_too_new() {
    [ -n "$highest" ] || return 1
    dots=$(printf '%s' "$highest" | sed 's/[^.]//g')
    is_less "$highest" "$(printf '%s\n' "${version%%-*}" | cut -d. -f"1-$((${#dots} + 1))")"
}

is_as_registered() {
    found=$(sha256sum <"$1" 2>/dev/null) || return 1
    [ "${found%% *}" = "$2" ]
}

read_registration() {
    grep -qx ' "format": 1,' "$1" && [ "$(field runtime "$1")" = lime-runtime ] || return 1
    version=$(field version "$1") kind=$(field kind "$1") platform=$(field platform "$1")
    program=$(field program "$1") program_hash=$(field programSha256 "$1")
    sidecar=$(field sidecar "$1") sidecar_hash=$(field sidecarSha256 "$1")
    is_one_line "$version" && is_version "$version" && is_one_line "$program" || return 1
    case $program in /*) ;; *) return 1 ;; esac
    case $kind in
    sources) return 0 ;;
    installed) is_one_line "$sidecar" && is_sha256 "$program_hash" && is_sha256 "$sidecar_hash" ;;
    *) return 1 ;;
    esac
}

# What is wrong with the programs of a registration; nothing where nothing is.
judge_programs() {
    for each in "$program" "$sidecar"; do
        file=$each
        [ -f "$each" ] && [ -x "$each" ] || { code=runtime-not-runnable && return; }
        is_safe "$each" || { code=runtime-unsafe && return; }
    done
    file=$program
    is_as_registered "$program" "$program_hash" || { code=runtime-changed && return; }
    file=$sidecar
    is_as_registered "$sidecar" "$sidecar_hash" || { code=runtime-changed && return; }
    [ -z "$releases" ] && return
    case " $releases " in
    *" $program_hash:$sidecar_hash "*) ;;
    *) code=runtime-unverified ;;
    esac
}

judge() {
    code= version= kind= program= file=$1
    is_safe "$1" || { code=runtime-unsafe && return; }
    read_registration "$1" || { code=runtime-unreadable && return; }
    file=$program
    if is_less "$version" "$lowest"; then code=runtime-too-old && return; fi
    if is_too_new; then code=runtime-too-new && return; fi
    case " ${platforms:-$platform} " in *" $platform "*) ;; *) code=runtime-platform && return ;; esac
    if [ "$kind" = sources ]; then
        # What runs from source has no file whose hash would say anything.
        [ -z "$must_be_verified" ] || { code=runtime-unverified && return; }
        [ -f "$program" ] && [ -x "$program" ] || { code=runtime-not-runnable && return; }
        is_safe "$(readlink -f "$program")" || code=runtime-unsafe
        return
    fi
    [ "${sidecar##*/}" = "$sidecar_name" ] && [ "${sidecar%/*}" = "${program%/*}" ] || {
        code=runtime-sidecar && return
    }
    judge_programs
}

# The newest that will do; where none does, what is wrong with the newest.
choose() {
    chosen= chosen_version= why=runtime-missing why_version= why_file=
    for registry in "$system_registry" "${home:+$home/$own_registry}"; do
        [ -n "$registry" ] && [ -e "$registry/$file_name" ] || continue
        judge "$registry/$file_name"
        if [ -n "$code" ]; then
            if [ "$why" = runtime-missing ] || is_less "${why_version:-0.0.0}" "${version:-0.0.0}"; then
                why=$code why_version=$version why_file=$file
            fi
        elif [ -z "$chosen" ] || is_less "$chosen_version" "$version"; then
            chosen=$program chosen_version=$version chosen_kind=$kind
        fi
    done
}

# A text with the version and the file that it is about.
filled() {
    text=$(words "$1")
    for pair in "xVERSIONx|${2:-?}" "xFILEx|${3:-?}"; do
        place=${pair%%|*} value=${pair#*|} done=
        while :; do
            case $text in
            *"$place"*) done=$done${text%%"$place"*}$value text=${text#*"$place"} ;;
            *) break ;;
            esac
        done
        text=$done$text
    done
    printf '%s' "$text"
}

opens_window() {
    case ${1-} in
    '' | open | "$scheme":*) return 0 ;;
    esac
    return 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# With the person's own path again: the browser may lie anywhere.
open_address() {
    opener=$(command -v xdg-open) || return 1
    PATH=$given_path "$opener" "$1" >/dev/null 2>&1
}

# Whether a dialog could be shown; who pressed its first button is led to where Lime Desktop is.
asked() {
    "$@" >/dev/null 2>&1
    case $? in
    0) open_address "$link" || : ;;
    1) ;;
    *) return 1 ;;
    esac
}

# xmessage has no letters but these.
is_plain() { [ -z "$(printf '%s' "$1" | LC_ALL=C tr -d '\n -~')" ]; }

# To somebody who started it without a terminal: by whatever this desktop has to say something with.
show() {
    [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ] || return 0
    get=$(words get-button) close=$(words close)
    has zenity && asked zenity --question --no-markup --title="$name" --text="$1" --ok-label="$get" \
        --cancel-label="$close" && return 0
    has kdialog && asked kdialog --title "$name" --yes-label "$get" --no-label "$close" --yesno "$1" && return 0
    is_plain "$1" && has xmessage &&
        asked xmessage -center -title "$name" -buttons "$get:0,$close:1" -default "$close" "$1" && return 0
    open_address "${here-}/$page" && return 0
    has notify-send && notify-send --urgency=critical "$name" "$1" >/dev/null 2>&1 && return 0
    language=en
    has xmessage && xmessage -center -title "$name" "$(told)" >/dev/null 2>&1
    return 0
}

told() {
    filled "$why" "$why_version" "$why_file"
    printf '\n\n'
    filled "$why-advice" "$why_version" "$why_file"
}

# Where this script lies, links followed: beside it is a page for people whose desktop has no dialog.
find_here() {
    here=$0
    while [ -h "$here" ]; do
        to=$(readlink "$here") || break
        case $to in /*) here=$to ;; *) here=$(dirname "$here")/$to ;; esac
    done
    here=$(cd -P "$(dirname "$here")/.." 2>/dev/null && pwd) || here=
}

choose
if [ "${1-}" = --check ]; then
    if [ "${2-}" = --json ]; then
        code=$why
        [ -z "$chosen" ] || code=
        printf '{"ok": %s, "product": "%s", "code": "%s", "version": "%s", "program": "%s"}\n' \
            "$([ -n "$chosen" ] && echo true || echo false)" "$product" "$code" \
            "${chosen_version:-$why_version}" "${chosen:-$why_file}"
    elif [ -n "$chosen" ]; then
        filled fine "$chosen_version" "$chosen"
        echo
    fi
    [ -z "$chosen" ] || exit 0
    [ "${2-}" = --json ] || printf '%s\n(%s)\n' "$(told)" "$why" >&2
    exit "$(exit_code "$why")"
fi

if [ -z "$chosen" ]; then
    printf '%s: %s\n(%s)\n' "$name" "$(told)" "$why" >&2
    if opens_window "$@"; then
        find_here
        show "$(told)"
    fi
    exit "$(exit_code "$why")"
fi

PATH=$given_path
export PATH
if [ "$chosen_kind" = sources ]; then
    exec "$chosen" -I -m lime_desktop --as-product "$product" "$@"
fi
exec "$chosen" --as-product "$product" "$@"
