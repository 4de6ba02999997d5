"""Nothing but its requirements: to install this distribution is to install what most users of Arena want."""
