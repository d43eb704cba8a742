"""What a newcomer's two commands do: prepare the machine, install, then run or check. Standard library only."""
