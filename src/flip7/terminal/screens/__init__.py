"""The screens of the application, each for one thing that people do."""
