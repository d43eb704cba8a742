"""Starts workflows by time, as far as a person allowed it.

`consent` says what a person agrees to, `moments` what is due, `ledger` keeps both as facts beside those of runs, `keeper` has
the moments called, `starts` begins the run of one, and `service` answers who asks.
"""
