"""Would Lime Desktop work on this machine, and if not, what helps? Standard library only.

It has to run where the installation is broken, so nothing here may need what it is looking for.
"""
