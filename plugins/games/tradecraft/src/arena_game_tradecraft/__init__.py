"""TradeCraft: trade with others, craft from recipes, and be the first to hold your target."""
