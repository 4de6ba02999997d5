"""What all checks stand on: the error they raise, matches played without a referee, values, tests of samples."""
