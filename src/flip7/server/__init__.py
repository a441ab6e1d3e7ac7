"""The web application: tables online, the store behind them, and the messages that people's browsers speak."""
