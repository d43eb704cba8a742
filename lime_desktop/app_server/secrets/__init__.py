"""Credentials: kept where the system keeps them, named by references everywhere else.

``store`` is what others use, ``keyring_place`` and ``sealed_file`` are the two places a value may lie in, ``index``
remembers which reference belongs to whom, ``service`` answers the calls of the host. No value is ever in a database,
a log, an event or an answer.
"""
