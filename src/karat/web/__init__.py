"""The pages that raters work on, and the API behind them. Needs `karat[web]`."""
