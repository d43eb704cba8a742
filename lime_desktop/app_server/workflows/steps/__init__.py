"""How is a state carried out? One class per kind: what it is given, how it begins, how it is looked at again, how it is stopped."""
