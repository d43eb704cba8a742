"""How a product is wrapped for people: a Debian package, an archive with its installer, an AppImage, and what other systems' own tools need.

Each module takes a stamped tree and its brand, and gives the files that it wrote.
"""
