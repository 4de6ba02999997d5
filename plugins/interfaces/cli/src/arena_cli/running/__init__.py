"""What all commands that play matches share."""
