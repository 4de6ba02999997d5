"""Any other game of OpenSpiel, as the library describes it."""
