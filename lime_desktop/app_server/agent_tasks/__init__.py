"""Agent tasks as apps know them, over sessions and turns. Knows no engine.

`service` answers agentTask/*: it turns a request into a turn (`asked`, `expected_output`) and facts into a record
(`records`, `readings`); `places` finds a task among all sessions. `checked_turns` stands before every engine and holds
its turns to what was asked of them: the form of the output, the money, the time, a person's yes.
Nothing is kept here: what a task is follows from the facts of its session alone.
"""
