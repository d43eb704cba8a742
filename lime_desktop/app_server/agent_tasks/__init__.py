"""Agent tasks as apps know them, over sessions and turns. Knows no engine.

`service` answers lime.agent and agentTask/*: it turns a request into a turn (`task_request`, `expected_output`) and facts into a record
(`records`, `readings`); `task_lookup` finds a task among all sessions. `output_check_middleware` wraps every engine and holds
its turns to what was asked of them: the form of the output, the money, the time, a person's yes.
`background`, `usage`, `search`, `skills` and `document_summaries` answer what else apps ask of their tasks, or have done by one.
Nothing is kept here: what a task is follows from the facts of its session alone.
"""
