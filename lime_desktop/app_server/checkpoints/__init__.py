"""How can what an agent changed of its app's data be brought back?

Before a turn whose app declares `checkpointScope`, the declared parts are copied; a person who asks for it gets them
back, sees beforehand what changes, and reads which effects outside this computer nobody can undo.
"""
