"""The benchmarks of SPIN-Bench (Yao et al., 2025): suites, prompt styles, a schedule and a metric."""

from arena.plugin import Plugin

LICENCE = "Apache-2.0"

SOLVERS = Plugin(
    factory="arena_suite_spin_bench:solvers.yaml",
    summary="tic-tac-toe, connect four and chess against perfect play and Stockfish at five levels",
    licence=LICENCE,
)

ROUND_ROBIN = Plugin(
    factory="arena_suite_spin_bench:round_robin.yaml",
    summary="tic-tac-toe, connect four and chess between all agents, sides swapped at half",
    licence=LICENCE,
)

BOARD = Plugin(
    factory="arena_suite_spin_bench:styles/board.yaml",
    summary="board games as SPIN-Bench asks them: position drawn and listed, legal moves, a reason and a move",
    licence=LICENCE,
)

CHESS = Plugin(
    factory="arena_suite_spin_bench:styles/chess.yaml",
    summary="chess as SPIN-Bench asks it: the position in FEN and on a board, legal moves, a reason and a move",
    licence=LICENCE,
)

AGAINST_SOLVERS = Plugin(
    factory="arena_suite_spin_bench.schedule:AgainstSolvers",
    summary="everybody plays against solvers that a tag names, and solvers do not meet",
    example={"pool": ["solver"], "repeats": 2},
    licence=LICENCE,
)

HANABI = Plugin(
    factory="arena_suite_spin_bench:hanabi.yaml",
    summary="Hanabi with two to five players, one agent in all seats, five matches a setting",
    licence=LICENCE,
)

HANABI_STYLE = Plugin(
    factory="arena_suite_spin_bench:styles/hanabi.yaml",
    summary="Hanabi as SPIN-Bench asks it: the table, three steps, legal actions, a reason and an action",
    licence=LICENCE,
)

HANABI_SCORES = Plugin(
    factory="arena_suite_spin_bench.hanabi:HanabiScores",
    summary="scores of Hanabi by number of players, and what SPIN-Bench's program would have recorded",
    licence=LICENCE,
    order=12,
)

PLANNING = Plugin(
    factory="arena_suite_spin_bench:planning.yaml",
    summary="1,280 planning tasks in 21 domains, each answered once with a whole plan",
    licence=LICENCE,
)

PLANNING_SMALL = Plugin(
    factory="arena_suite_spin_bench:planning_small.yaml",
    summary="two planning tasks of each of 21 domains, an easier and a harder one",
    licence=LICENCE,
)

TRACKING = Plugin(
    factory="arena_suite_spin_bench:tracking.yaml",
    summary="where somebody stands after 1 to 30 moves on a grid: 90 scenes, one question each",
    licence=LICENCE,
)

RECALL = Plugin(
    factory="arena_suite_spin_bench:recall.yaml",
    summary="what is true after a step of a trajectory of 2 to 30 steps in three domains: 900 questions",
    licence=LICENCE,
)

DIPLOMACY_BASIC = Plugin(
    factory="arena_suite_spin_bench:diplomacy/basic.yaml",
    summary="France alone against six neutral powers in Diplomacy, without talk, to 1920",
    licence=LICENCE,
)

DIPLOMACY_AGENTS_2 = Plugin(
    factory="arena_suite_spin_bench:diplomacy/agents_2.yaml",
    summary="Diplomacy with two players who hold three and four powers, without talk and with it",
    licence=LICENCE,
)

DIPLOMACY_AGENTS_3 = Plugin(
    factory="arena_suite_spin_bench:diplomacy/agents_3.yaml",
    summary="Diplomacy with three players who hold two and three powers, without talk and with it",
    licence=LICENCE,
)

DIPLOMACY_AGENTS_4 = Plugin(
    factory="arena_suite_spin_bench:diplomacy/agents_4.yaml",
    summary="Diplomacy with four players who hold one and two powers, without talk and with it",
    licence=LICENCE,
)

DIPLOMACY_AGENTS_5 = Plugin(
    factory="arena_suite_spin_bench:diplomacy/agents_5.yaml",
    summary="Diplomacy with five players who hold one and two powers, without talk and with it",
    licence=LICENCE,
)

DIPLOMACY_NEGOTIATION = Plugin(
    factory="arena_suite_spin_bench:diplomacy/negotiation.yaml",
    summary="Diplomacy with seven powers that negotiate: six agents, of which one holds two, in all seats",
    licence=LICENCE,
)

DIPLOMACY_ABLATION = Plugin(
    factory="arena_suite_spin_bench:diplomacy/ablation.yaml",
    summary="France alone in Diplomacy, asked with steps and a report, with the report alone, and with neither",
    licence=LICENCE,
)

DIPLOMACY_DUPLICATE = Plugin(
    factory="arena_suite_spin_bench:diplomacy/duplicate.yaml",
    summary="Diplomacy in duplicate: each agent plays all seven powers against the same field",
    licence=LICENCE,
)

DIPLOMACY_STYLE = Plugin(
    factory="arena_suite_spin_bench:styles/diplomacy.yaml",
    summary="Diplomacy as SPIN-Bench asks it: board, talk, legal orders, steps, and one object with reasons and orders",
    licence=LICENCE,
)

DIPLOMACY_STYLE_NO_CHAIN = Plugin(
    factory="arena_suite_spin_bench:styles/diplomacy_no_chain.yaml",
    summary="the same without the steps to think through",
    licence=LICENCE,
)

DIPLOMACY_STYLE_NO_FACTS = Plugin(
    factory="arena_suite_spin_bench:styles/diplomacy_no_facts.yaml",
    summary="the same without the steps and without the report of what the player believes",
    licence=LICENCE,
)

SPIN_BENCH_SCORES = Plugin(
    factory="arena_suite_spin_bench.scores:SpinBenchScores",
    summary="SPIN-Bench's tables and figures, from any runs of its suites",
    licence=LICENCE,
    order=12,
)

SPIN_BENCH_REPORT = Plugin(
    factory="arena_suite_spin_bench.report:SpinBenchReport",
    summary="Table 1 of SPIN-Bench with its average, and its other tables; with -o a directory, the figures too",
    licence=LICENCE,
)

SOLVER_DRAWS = Plugin(
    factory="arena_suite_spin_bench.draws:SolverDraws",
    summary="draws, wins and losses against solvers, beside random play",
    example={"solvers": ["minimax", "perfect", "stockfish-*"]},
    licence=LICENCE,
    order=12,
)
