"""What can be shown to somebody who was not there? Packs, replay cases and reviews, out of the log alone.

`gathering` reads a session once, in order; `signals` says which kinds of fact are in it; `documents` puts the
portable files together (pure); `chain` writes them as a sealed folder that names the one before it;
`verification` finds any byte that was changed, removed or added, and needs nothing but the folder;
`writing` joins them; `exports` serves the methods, and tells the log through RuntimeCore.
"""
