"""Builds what people install: wheel, frozen tree, .deb, tar.gz, AppImage, and what belongs beside them.

`commands` reads the options and runs the stages in order; each stage is a module. `checkout` and `environment` say what
is built and with which Python, `freezing` and `pruning` make the tree, `debian_package`,
`tarball` and `appimage` wrap it (with `lime_desktop.stamping`, which packs trees of brands as well), `qt_gate`,
`licences`, `sbom`, `checksums` and `signature` say what is in it. `prove` installs the results in a clean Debian.
"""
