"""Attacks every parser of bytes from strangers, each input with a time budget.

In the suite a few dozen inputs per parser run from a fixed seed (`test_fuzz.py`). By hand, for as long as one likes:

    python -m tests.fuzz --seconds 60 html markdown      # some of them
    python -m tests.fuzz --seconds 600 --seed 7          # all of them, other inputs

An input is found guilty if the parser raises what it does not declare, or takes longer than the budget. It is then
written below the temporary folder, and its path printed: the input is the test case to keep in `seeds.py`.
Beside the inputs made at random stand structures repeated many times, known to make parsers quadratic (`bombs.py`):
the work for four times as many must not be much more than four times the work.
"""
