"""The one way out of every page: a proxy of the host's own, on this machine, that carries what was granted and keeps a ledger.

The web engine looks no name up and opens no connection but to this proxy. Each app proves itself with a secret of its own,
so that every byte has an owner. Reading order: `access` → `destination` → `server` → `ledger`; `thread` runs it.
"""
