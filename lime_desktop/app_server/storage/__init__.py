"""An app's own data: one SQLite file per app, reached by nobody else.

``service`` answers for keys and values and says what may be kept, ``table_service`` answers for declared tables and changes
that belong together. ``files`` keeps a few files open, ``prepared`` brings one to what its package declares (``app_tables``,
``table_files``, ``app_migrations``), ``table_rows`` reads and writes rows, ``conditions`` turns queries into statements.
"""
