"""What use cases give back: frozen results that turn into JSON, data frames and tables by themselves."""
