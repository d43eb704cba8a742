"""What the host answers itself: one module per capability, strangers to each other.

Each module has ``handlers(services)``, its handlers by the name of their call, and one row in ``table``.
"""
