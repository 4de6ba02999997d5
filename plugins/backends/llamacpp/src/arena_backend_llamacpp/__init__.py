"""llama.cpp in this process."""
