"""The log of facts: how an event is completed, judged, stamped, stored and folded. `journal` is its door."""
