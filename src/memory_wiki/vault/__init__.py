"""The truth: files and their history in git. Nothing derived is kept here."""
