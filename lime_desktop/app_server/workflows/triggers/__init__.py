"""Starts workflows when something happens, as far as a person allowed it.

`events` says what an event is, `sources` and `folders` where events wait until they are dealt with, `ledger` keeps as facts what a
person allowed and what became of each, `keeper` deals with them, `starts` begins the run of one, and `service` answers who asks.
"""
