"""The only writer of runtime facts: sessions, threads, turns, tasks, runs, actions, events.

How a fact is made::

    a command (`commands`) or an engine (`running.driver`) proposes events
      → `log.spill`        large content goes to the content store first
      → `log.journal`      on the writer thread, in order:
          `log.completion`   ids that follow from the state
          `gates`            may this be stored? every gate is pure and closed
          `log.advance`      the `state` after it: what is open, small and bounded
          `folds`            the records after it: the read models, one row per thing
        events, state and records are one transaction, on disk before anybody hears of it
      → subscribers; `running` among them, which starts engines and queued turns as the facts say

`reading` puts the seven read models together from records and state. `log.rebuild` proves that both follow
from the log alone. `running.recovery` closes what a dead process left open. `core` joins everything, and
`routes` says which method of the protocol leads where. `backend` is the port that engines implement, `engine_middleware`
what wraps one.
"""
