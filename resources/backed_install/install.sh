#!/bin/sh
# Installs Lime Desktop for you alone: no administrator, nothing outside of your home folder. It runs on the runtime that is
# installed on this computer, and brings none.
#
#   ./install.sh           install, or replace another version
#   ./uninstall.sh         remove it again
set -eu

version=@VERSION@
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
data=${XDG_DATA_HOME:-"$HOME/.local/share"}
# The one place where it is looked for.
program=${LIME_DESKTOP_FOLDER:-"$HOME/.local/lib/lime-desktop"}
bin=$HOME/.local/bin

if [ "$(id -u)" = 0 ] && [ -z "${LIME_DESKTOP_AS_ROOT:-}" ]; then
    echo "Run this as the person who will use Lime Desktop: root cannot have the web engine's sandbox." >&2
    exit 1
fi
if [ -e "$program" ] && [ ! -e "$program/.installed-by-lime-desktop" ]; then
    echo "$program is there already and is not Lime Desktop's. Move it away." >&2
    exit 1
fi
. "$here/placing.sh"

# Under another name first: a full disk must not leave half a product. Nobody else may write there, or it is not believed.
umask 022
fresh=$program.partial
rm -rf "$fresh"
trap 'rm -rf "$fresh"' EXIT
mkdir -p "$(dirname -- "$program")" "$bin"
cp -R "$here/lime-desktop" "$fresh"
chmod -R go-w "$fresh"
cp "$here/uninstall.sh" "$fresh/uninstall.sh"
: >"$fresh/.installed-by-lime-desktop"
if [ -e "$program/.placed" ]; then cp "$program/.placed" "$fresh/.placed"; fi
rm -rf "$program"
mv "$fresh" "$program"
trap - EXIT

place_desktop_files
ln -sf "$program/bin/lime-desktop" "$bin/lime-desktop"
tell_desktop

echo "Lime Desktop $version is installed. Start it from the menu, or: $bin/lime-desktop"
"$program/bin/lime-desktop" --check || true
