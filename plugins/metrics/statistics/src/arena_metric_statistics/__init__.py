"""Intervals and tests for every number that a metric reports.

========================  =============================================================================
``proportions``           shares of matches or turns: Wilson, Jeffreys, Clopper-Pearson, clustered
``means``                 means of returns or lengths: Gaffke within bounds, else Student, over blocks
``references``            what random play scores with the n of the row beside which it stands
``rates``                 events per turn or match: Poisson, over-dispersed Poisson
``resampling``            bootstrap of other statistics over matches or rotation blocks: BCa, percentile
``effects``               how large a difference is: Cohen's d, Hedges' g, probability of superiority
``tallies``               statistics of categories: entropy, Cohen's kappa, with the jackknife
``comparisons``           exact paired tests (sign flips, McNemar) and corrections for many of them
``planning``              how many matches are needed
``corrections``           scores between random and optimal play
========================  =============================================================================

Every interval is an ``arena.tables.Estimate``. Two rules hold throughout. Matches of one rotation block share their
deals, so blocks are the independent units wherever clusters are given. And no interval has zero width, or leaves what
is possible: where too little was seen for one there is none, and ``method`` says why.
"""
