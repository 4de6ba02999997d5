"""Games of choices at the same time, and of auctions and bargains."""
