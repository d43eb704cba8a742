"""Which apps could be installed? From folders of packages and from lists that others keep, searched as one.

``offers`` is one app on offer, ``folders`` and ``catalog_file`` are where offers come from, ``reading`` looks at
one of them now and checks its signature, ``search`` finds among them, ``catalog`` keeps the sources and what they said last.
"""
