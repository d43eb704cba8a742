# What both installers do outside of the program's own folder. Read by install.sh, which says where things lie: $here, $data,
# $program.

# Every file outside of the program's folder is written down, and only those are removed again.
placed=$program/.placed
place() {
    mkdir -p "$(dirname -- "$2")"
    cp "$1" "$2"
    printf '%s\n' "$2" >>"$placed"
}

# Menu entry, icons, file types.
place_desktop_files() {
    touch "$placed"
    (cd "$here/share" && find . -type f | sort) | while read -r name; do
        place "$here/share/$name" "$data/${name#./}"
    done
    sort -u -o "$placed" "$placed"
    # A desktop does not look for programs in ~/.local/bin, so its whole path goes in, quoted as the entry wants it.
    quoted=$(printf '%s' "$program/bin/lime-desktop" | sed 's/[\\"`$]/\\\\&/g; s/%/%%/g')
    sed "s|^Exec=lime-desktop |Exec=\"$(printf '%s' "$quoted" | sed 's/[&|\\]/\\&/g')\" |" \
        "$here/share/applications/lime-desktop.desktop" >"$data/applications/lime-desktop.desktop"
}

refresh() { if command -v "$1" >/dev/null; then "$@" >/dev/null 2>&1 || true; fi; }

tell_desktop() {
    refresh update-desktop-database "$data/applications"
    refresh update-mime-database "$data/mime"
    refresh gtk-update-icon-cache -q -t "$data/icons/hicolor"
    refresh xdg-mime default lime-desktop.desktop x-scheme-handler/lime
}
