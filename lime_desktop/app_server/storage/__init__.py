"""An app's own data: one SQLite file per app, reached by nobody else.

``service`` answers for keys and values, ``table_service`` for declared tables and changes that belong together. ``files``
keeps a few files open, ``prepared`` brings one to what its package declares (``app_tables``, ``table_files``,
``app_migrations``), ``rows`` and ``table_rows`` read and write, ``conditions`` turns queries into statements, ``values`` says
what may be kept.
"""
