"""How well does an installed app do its tasks, on which model, and better or worse than before?

``suite`` reads what is to be tried, ``verdicts`` judges an answer, ``trials`` has one task done, ``trial_facts`` and
``job_facts`` say what the log is told, ``jobs`` runs them all.
"""
