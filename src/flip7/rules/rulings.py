"""The ids of the rulings, and the integer that stands for each in the rules."""

IDS = (
    *("SET-1", "SET-2", "SET-3", "SET-4", "SET-5"),
    *("DEAL-1", "DEAL-2", "DEAL-3", "DEAL-4", "DEAL-5"),
    *("TURN-1", "TURN-2", "TURN-3", "TURN-4"),
    *("NUM-1", "NUM-2", "NUM-3", "NUM-4", "MOD-1"),
    *("ACT-1", "ACT-2", "ACT-3", "ACT-4", "FRZ-1"),
    *("F3-1", "F3-2", "F3-3", "F3-4", "F3-5", "F3-6", "F3-7"),
    *("SC-1", "SC-2", "SC-3", "SC-4", "SC-5"),
    *("END-1", "END-2", "SCORE-1", "SCORE-2", "END-3"),
    *("DECK-1", "DECK-2", "DECK-3", "DECK-4"),
    *("GAME-1", "GAME-2", "SOLO-1"),
    *("KEEP-1", "KEEP-2", "KEEP-3", "KEEP-4", "KEEP-5", "KEEP-6", "KEEP-7"),
    "CHOICE-1",
)
"""Every ruling, in the order of the rule book. An event carries the position of its ruling here."""

DEAL_1 = IDS.index("DEAL-1")
TURN_2 = IDS.index("TURN-2")
TURN_3 = IDS.index("TURN-3")
NUM_1 = IDS.index("NUM-1")
NUM_2 = IDS.index("NUM-2")
NUM_3 = IDS.index("NUM-3")
MOD_1 = IDS.index("MOD-1")
ACT_1 = IDS.index("ACT-1")
ACT_2 = IDS.index("ACT-2")
ACT_3 = IDS.index("ACT-3")
FRZ_1 = IDS.index("FRZ-1")
F3_1 = IDS.index("F3-1")
F3_3 = IDS.index("F3-3")
F3_4 = IDS.index("F3-4")
F3_5 = IDS.index("F3-5")
SC_1 = IDS.index("SC-1")
SC_2 = IDS.index("SC-2")
SC_4 = IDS.index("SC-4")
SET_4 = IDS.index("SET-4")
END_1 = IDS.index("END-1")
END_3 = IDS.index("END-3")
SCORE_1 = IDS.index("SCORE-1")
DECK_1 = IDS.index("DECK-1")
DECK_3 = IDS.index("DECK-3")
DECK_4 = IDS.index("DECK-4")
GAME_1 = IDS.index("GAME-1")
GAME_2 = IDS.index("GAME-2")
KEEP_5 = IDS.index("KEEP-5")
KEEP_7 = IDS.index("KEEP-7")
