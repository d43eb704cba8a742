#!/bin/sh
# Removes what install.sh put there. Your data stays, unless you say --with-data.
set -eu

data=${XDG_DATA_HOME:-"$HOME/.local/share"}
program=${LIME_DESKTOP_FOLDER:-"$HOME/.local/lib/lime-desktop"}
link=$HOME/.local/bin/lime-desktop

case ${1:-} in
"" | --with-data) ;;
*) echo "Usage: uninstall.sh [--with-data]" >&2; exit 2 ;;
esac
if [ ! -e "$program/.installed-by-lime-desktop" ]; then
    echo "Lime Desktop is not installed at $program." >&2
    exit 1
fi

# Folders that are empty now were most likely ours; rmdir leaves the others alone.
drop() {
    rm -f "$1"
    folder=$(dirname -- "$1")
    while [ "$folder" != "$data" ] && [ "$folder" != / ] && rmdir "$folder" 2>/dev/null; do
        folder=$(dirname -- "$folder")
    done
}
while read -r path; do
    case $path in
    "$data"/*) drop "$path" ;;
    esac
done <"$program/.placed"
if [ "$(readlink "$link" 2>/dev/null || true)" = "$program/bin/lime-desktop" ]; then
    rm -f "$link"
    rmdir "$HOME/.local/bin" 2>/dev/null || true
fi
rm -rf "$program"
rmdir "$(dirname -- "$program")" 2>/dev/null || true
# Only where it names what was just removed: another installation may have registered since.
registered=$HOME/.local/share/lime-runtime/lime-desktop.json
if [ -f "$registered" ] && grep -qF "\"program\": \"$program/" "$registered"; then rm -f "$registered"; fi
rmdir "$HOME/.local/share/lime-runtime" 2>/dev/null || true

forget() {
    list=$1
    if [ -f "$list" ] && grep -q 'lime-desktop\.desktop' "$list"; then
        sed '/lime-desktop\.desktop/d' "$list" >"$list.new" && mv "$list.new" "$list"
        if ! grep -qv '^\[.*\]$' "$list"; then rm -f "$list"; fi
    fi
}
forget "${XDG_CONFIG_HOME:-"$HOME/.config"}/mimeapps.list"
refresh() { if command -v "$1" >/dev/null; then "$@" >/dev/null 2>&1 || true; fi; }
if [ -d "$data/applications" ]; then refresh update-desktop-database "$data/applications"; fi
if [ -d "$data/mime" ]; then
    mkdir -p "$data/mime/packages"
    refresh update-mime-database "$data/mime"
    # What is made of no packages at all says nothing: it goes, if it was made for us.
    if rmdir "$data/mime/packages" 2>/dev/null; then
        for made in aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version \
            XMLnamespaces application/vnd.lime-desktop.app.xml; do
            rm -f "$data/mime/$made"
        done
        rmdir "$data/mime/application" "$data/mime" 2>/dev/null || true
    fi
fi
for cache in applications/mimeinfo.cache icons/hicolor/icon-theme.cache; do
    folder=$(dirname -- "$data/$cache")
    if [ "$(ls -A "$folder" 2>/dev/null)" = "$(basename -- "$cache")" ]; then drop "$data/$cache"; fi
done

if [ "${1:-}" = --with-data ]; then
    rm -rf "$data/lime-desktop" "${XDG_CONFIG_HOME:-"$HOME/.config"}/lime-desktop" \
        "${XDG_CACHE_HOME:-"$HOME/.cache"}/lime-desktop"
    echo "Lime Desktop and its data are removed."
else
    echo "Lime Desktop is removed. Your apps' data and your settings stay, in $data/lime-desktop and"
    echo "${XDG_CONFIG_HOME:-"$HOME/.config"}/lime-desktop; who wants them gone deletes those folders."
fi
