"""What server and clients say to each other: messages, and the codes of what is refused."""
