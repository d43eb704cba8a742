"""The edge of the App Server: who may speak, what each method leads to, who hears of which event.

Holds no runtime fact. ``connection`` is the gate, ``routes`` the table, ``fan_out`` the way back.
"""
