"""How does an app become a product of its own, and how is a tree packed for people to install?

``brand`` reads from a package what the product is called and looks like, ``base_tree`` finds the tree it is stamped on, ``stamp``
makes the product's tree, and each module of ``formats`` wraps it. ``archives``, ``deb``, ``elf`` and ``system_needs`` know
only files; the releases of Lime Desktop itself stand on them too, before anything is installed, so they import nothing else.
"""
