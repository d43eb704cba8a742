"""Which inline scripts does a page of the bundle bring itself? Those may run; injected ones may not.

A bundle's HTML was reviewed with the rest of the package, so its inline scripts (import maps above all) are as
trusted as its files. Each response marks them with a nonce of its own. Scripts that are files need none, and get none:
what a marked script imports passes for marked, wherever it comes from. Hashes in the policy would leave the page
untouched, but the engine turns header values of a custom scheme to lower case, and a hash does not survive that.

What the nonce promises: nothing runs that came into the page as markup or as an event handler, because it is another at
every load, is guessed by nobody, and is hidden from markup and styles. What it does not promise: to be a secret from the
page's own scripts. Those run already, may read it, and may make scripts of their own words with it; what they can never
do with it is bring code from elsewhere: that is refused where requests are made, whatever the policy says.
"""

import secrets

from lime_desktop.app_package.text.html_text import StartTag, read_html

_NAME_LENGTH = len("<script")


def mark_scripts(html: bytes) -> tuple[bytes, str]:
    """The page with a fresh nonce on each of its script tags, and the policy's source for it."""
    nonce = secrets.token_hex(16)
    mark = f' nonce="{nonce}"'.encode()
    pieces: list[bytes] = []
    done = 0
    # Latin-1 keeps one character a byte, so positions in the text are positions in the bytes.
    for token in read_html(html.decode("latin-1")):
        if isinstance(token, StartTag) and token.name == "script" and "src" not in token.attributes:
            name_end = token.at + _NAME_LENGTH
            pieces += (html[done:name_end], mark)
            done = name_end
    return b"".join((*pieces, html[done:])), f"'nonce-{nonce}'"
