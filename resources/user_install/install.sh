#!/bin/sh
# Installs Lime Desktop for you alone: no administrator, nothing outside of your home folder. From then on it keeps itself
# up to date: each version has a folder of its own, and the launcher starts the current one.
#
#   ./install.sh           install, or replace another version
#   ./uninstall.sh         remove it again (also: ~/.local/lib/lime-desktop/uninstall.sh)
set -eu

version=@VERSION@
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
data=${XDG_DATA_HOME:-"$HOME/.local/share"}
program=${LIME_DESKTOP_FOLDER:-"$HOME/.local/lib/lime-desktop"}
bin=$HOME/.local/bin

if [ "$(id -u)" = 0 ] && [ -z "${LIME_DESKTOP_AS_ROOT:-}" ]; then
    echo "Run this as the person who will use Lime Desktop: root cannot have the web engine's sandbox." >&2
    exit 1
fi
case $program in
"$HOME" | / | "") echo "LIME_DESKTOP_FOLDER must be a folder of its own." >&2; exit 1 ;;
esac
if [ -e "$program" ] && [ ! -e "$program/.installed-by-lime-desktop" ]; then
    echo "$program is there already and is not Lime Desktop's. Move it away, or set LIME_DESKTOP_FOLDER." >&2
    exit 1
fi

missing=$("$here/missing-libraries.sh")
if [ -n "$missing" ]; then
    echo "This system lacks libraries that the window needs: $missing" >&2
    if command -v apt-get >/dev/null; then
        echo "An administrator installs them with:" >&2
        echo "    sudo apt-get update && sudo apt-get install -y $("$here/missing-libraries.sh" --packages "$missing")" >&2
    fi
    echo "Installing all the same; run 'lime-desktop doctor' afterwards." >&2
fi

# Under another name first: a full disk must not leave half a program.
mkdir -p "$program/versions" "$program/bin" "$program/share" "$bin"
mkdir -p -m 700 "$program/update"
: >"$program/.installed-by-lime-desktop"
fresh=$program/versions/.$version.partial
rm -rf "$fresh"
trap 'rm -rf "$fresh"' EXIT
cp -R "$here/lime-desktop" "$fresh"

. "$here/placing.sh"
place_desktop_files
cp "$here/uninstall.sh" "$program/uninstall.sh"
cp "$here/lime-desktop.apparmor" "$program/share/lime-desktop.apparmor"

rm -rf "$program/versions/$version"
mv "$fresh" "$program/versions/$version"
trap - EXIT

# Under another name first here too: the launcher may be running.
cp "$program/versions/$version/_internal/lime_desktop/_resources/launcher/lime-desktop.sh" "$program/bin/.lime-desktop.new"
chmod 755 "$program/bin/.lime-desktop.new"
mv -f "$program/bin/.lime-desktop.new" "$program/bin/lime-desktop"

current=$(readlink "$program/current" 2>/dev/null || true)
current=${current##*/}
rm -f "$program/update/attempts" "$program/update/returned" "$program/update/pending"
if [ -n "$current" ] && [ "$current" != "$version" ] && [ -x "$program/versions/$current/lime-desktop" ]; then
    # As an update: switched at the next start, watched, and the version before is back if it does not come up.
    printf '%s %s\n' "$version" "$current" >"$program/update/pending"
else
    ln -sfn "versions/$version" "$program/current"
fi
ln -sf "$program/bin/lime-desktop" "$bin/lime-desktop"

tell_desktop

# Products that bring no runtime find this one by a small file; a version that is still on trial registers when it has shown
# that it works. Nobody else may write in the program's folder, or it is not believed.
if [ -e "$here/lime-runtime.json.in" ] && [ ! -e "$program/update/pending" ]; then
    chmod -R go-w "$program/versions/$version"
    case $program in
    *[\\\"]*) echo "Other products cannot use it here: the path $program has a quotation mark or a backslash." >&2 ;;
    *)
        mkdir -p "$HOME/.local/share/lime-runtime"
        sed "s|@PLACE@|$(printf '%s' "$program/versions/$version" | sed 's/[&|]/\\&/g')|" "$here/lime-runtime.json.in" \
            >"$HOME/.local/share/lime-runtime/lime-desktop.json"
        chmod 644 "$HOME/.local/share/lime-runtime/lime-desktop.json"
        ;;
    esac
fi

echo "Lime Desktop $version is installed. Start it from the menu, or: $bin/lime-desktop"
case $(cat /proc/sys/kernel/apparmor_restrict_unprivileged_userns 2>/dev/null || echo 0) in
1)
    echo "This system gives the web engine's sandbox only to programs that an administrator named, so apps will ask" >&2
    echo "you before they open without it. The .deb package sets that up; so does: sudo cp" >&2
    echo "    $program/share/lime-desktop.apparmor /etc/apparmor.d/lime-desktop && sudo apparmor_parser -r /etc/apparmor.d/lime-desktop" >&2
    ;;
esac
