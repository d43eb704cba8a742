"""The edge of the App Server: who may speak, what each method leads to, who hears of which event.

Holds no runtime fact. ``connection`` is the gate, ``app_scope`` what a client of one app may mean, ``routes`` the table,
``fan_out`` the way back.
"""
