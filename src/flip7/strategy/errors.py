"""What can be wrong with a strategy."""


class StrategyError(ValueError):
    """There is no such strategy, or it did something that it may not."""
