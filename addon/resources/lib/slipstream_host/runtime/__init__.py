"""The runtime add-on: a Node.js for systems that have none of their own."""
