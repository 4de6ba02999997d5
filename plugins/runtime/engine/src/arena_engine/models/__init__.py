"""Between an agent and a backend: completions, limits, retries, the cache."""
