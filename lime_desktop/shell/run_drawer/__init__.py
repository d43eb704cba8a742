"""The run drawer: what any task did, told by the session's own views. Shows facts; changes nothing."""
