"""What does this package want, what would it bring, and may it be installed? Read before any of its code runs.

``making`` puts a review together from the parts beside it; each part is pure over the package. Words for people are
keys of the shell's texts with their values, so that a page and a command say the same in every language.
"""
