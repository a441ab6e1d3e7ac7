"""A whole game in a few lines: hit while one more card pays on average, then print the scoreboard."""

import flip7

game = flip7.Game(["Ana", "Ben", "Cho"], seed=3)
while (ask := game.decision) is not None:
    if ask.kind == "turn":
        game.play("hit" if flip7.odds(game).gain > 0 else "stay")
    else:  # a Freeze or a Flip Three goes to whoever of the others has most
        game.play(max({*ask.options} - {ask.seat}, key=lambda seat: game.seats[seat].points))
for name, *scores in zip(game.players, *game.rounds, strict=True):
    print(f"{name:5}", *(f"{points:4}" for points in scores), f"  total {sum(scores)}")
