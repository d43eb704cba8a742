"""The files of a package, wherever they lie: paths, sizes, hashes."""
