"""Is what was delivered good enough? Quality gates of apps, run on every version of a deliverable.

``checks`` are pure, ``gates`` makes verdicts of them, ``service`` runs them where something is kept and records what came of it.
"""
