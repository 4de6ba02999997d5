"""Sources of plugins that several tests of kept promises install, with a place for what each of them does."""

AGENT = """
class P(Playing):
    {0}


@attrs.frozen
class A(Agent):
    def join(self, seat):
        return P(seat)
"""
