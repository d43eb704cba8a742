"""What an app may look things up in: folders and files that a person bound to its knowledge templates.

``service`` answers the calls, ``indexing`` keeps an index as its sources are, ``rows`` reads and writes it (``schema``), ``passages``
cuts documents into pieces that can be cited, ``tokens`` makes Chinese and English text searchable, ``own_rows`` follows a
table that the app itself fills. One index per app.
"""
