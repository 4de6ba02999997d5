"""What everything else stands on: errors, keys of links, who may see what, values that are kept for a while."""
