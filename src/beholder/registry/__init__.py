"""From a name to the object behind it: built-ins by their path, specs of users, installed packages."""
