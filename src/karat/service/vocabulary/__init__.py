"""The words of requests: types and choices that commands and pages need to say what they want."""
