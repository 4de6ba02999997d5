"""Everything a reviewer would ask of a plugin, asked by ``arena check``.

What a plugin does happens in processes of its own, with a limit of time: one that ends its process, crashes it or never
comes to an end is a finding like any other.
"""
