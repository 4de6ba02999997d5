"""Arena: language models, engines and people play strategic games against each other and are measured honestly."""

__version__ = "0.1.0"
