"""What a page is. Pure: no file, clock, environment, randomness or log below here."""
