"""How the nets are made: games against oneself, labelled by rollouts, and a fit. `make strategies` runs it."""
