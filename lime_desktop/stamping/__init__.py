"""How does an app, or do the apps of an organisation, become a product of their own, and how is a tree packed for people to install?

``brand`` reads from a package what the product is called and looks like, ``organisation_build`` the same and more from the
file of an organisation's build. ``base_tree`` finds the tree it is stamped on, ``bundle`` puts in what the product opens, ``stamp``
makes the product's tree, and each module of ``formats`` wraps it. ``archives``, ``deb``, ``elf`` and ``system_needs`` know
only files; the releases of Lime Desktop itself stand on them too, before anything is installed, so they import nothing else.
"""
