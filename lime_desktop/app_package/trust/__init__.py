"""Is this package what its publisher signed? Signing, and verifying in the standard's order.

Start with ``statement``: it says what is signed, and why each part of it is.
"""
