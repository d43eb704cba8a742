"""What starts a workflow when something happens: how a trigger is declared, and which events it means."""
