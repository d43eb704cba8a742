"""What is a workflow, as data: its states, what leads where, what each is given. Pure; knows no package, engine or window.

`expressions` is the small language in which a state reads what came before it. `definition` makes a definition of plain
JSON, `checking` finds what is wrong with the whole, `drawing` says what stands where in its picture; `schedules` says when one
starts by itself. Nothing runs here.
"""
