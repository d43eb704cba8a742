"""Which host does an address name, and may it be dialled? The one judgement of the whole product, for both processes.

Reading order: `hosts` (what does this text name?) → `addresses` (is this number public?) → `destinations` (the name was
looked up: which of its addresses may be connected to?) → `http` (the clients of this program, which dial nothing else).
Knows no app, no grant and no person: whoever asks says whether it may be the own network.
"""
