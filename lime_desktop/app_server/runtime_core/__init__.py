"""The only writer of runtime facts: sessions, threads, turns, tasks, runs, actions, events.

How a fact is made::

    a command (`turns`, `actions`, `tasks`, …) or an engine (`driver`) proposes events
      → `spill`       large content goes to the content store first
      → `journal`     on the writer thread, in order:
          `completion`  ids that follow from the state
          `gates`       may this be stored? every gate is pure and closed
          `advance`     the state after it: what is open, small and bounded
          `folds`       the records after it: the read models, one row per thing
        events, state and records are one transaction, on disk before anybody hears of it
      → subscribers

`readings` puts the seven read models together from records and state. `rebuild` proves that both follow
from the log alone. `recovery` closes what a dead process left open. `core` joins everything.
"""
