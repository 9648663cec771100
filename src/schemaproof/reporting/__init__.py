"""Tables, the one-file HTML report, plots."""
