"""How does a new version reach an installed program, and how does a vendor publish one? Knows no window and no app.

From the bottom: ``refusals`` and ``versions`` are words; ``manifest`` says what a version consists of, ``pieces`` how its
files are cut, ``release`` what a channel offers. ``sources`` brings bytes, ``trusted`` believes only what is signed (TUF),
``installation`` is the folder with the versions in it, ``staging`` builds the next one beside them, ``health`` says that a
started one works, ``updates`` joins these,
and ``service`` does it for a window. ``publishing`` is the vendor's side. The launcher, which starts the current version and
goes back when it does not come up, is a script of its own: `resources/launcher/lime-desktop.sh`.
"""
