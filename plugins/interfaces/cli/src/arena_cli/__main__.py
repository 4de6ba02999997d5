"""``python -m arena_cli`` is the command ``arena``, also where the distribution that declares it is not installed."""

from arena_cli import main

if __name__ == "__main__":
    main()
