"""The table on the screen: other players, deck, own hand, what can be chosen, what happened."""
