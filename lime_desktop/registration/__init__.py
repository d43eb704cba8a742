"""How does a product without a runtime find an installed Lime Desktop, and how does that Lime know the product it is asked to be?

Both look in the same two places, the system's and the person's own, and only there. No variable of the environment names
another, and what somebody else on this computer could have put there is not believed.
"""
