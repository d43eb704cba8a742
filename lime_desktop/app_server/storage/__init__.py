"""An app's own data: one SQLite file per app, reached by nobody else.

``service`` answers the calls, ``files`` keeps a few files open, ``values`` says what may be kept, ``rows`` knows
the tables of ``schema``.
"""
