"""Which apps are installed here, what may they do, and how do they come and go?

``center`` is what others hold: it answers from memory and changes by whole steps; ``opening`` makes it. ``staging``
copies a package, ``package_reviews`` judges it with what is known here and ``review`` says what it wants,
``package_store`` keeps it by its hash; ``records`` are the facts, ``state`` and ``rows`` keep them in host.db. Every
change is one transaction; what no row refers to is swept away at the next start.
"""
