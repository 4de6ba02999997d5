"""Lets metrics measure the matches of runs, keeps what took long, and makes the baselines beside it."""
