"""What a report is and what it is made of: contract, matches, facts about the runs, results for the verdict."""
