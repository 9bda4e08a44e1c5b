"""What feedparser, which many readers are made of, thinks of feeds: JSON, one line a file."""
import json
import sys

import feedparser

for path in sys.argv[1:]:
    with open(path, "rb") as file:
        parsed = feedparser.parse(file.read())
    print(json.dumps({
        "problem": repr(parsed.bozo_exception) if parsed.bozo else None,
        "version": parsed.version,
        "title": parsed.feed.get("title"),
        "language": parsed.feed.get("language"),
        "ids": [entry.get("id") for entry in parsed.entries],
        "authors": [entry.get("author") for entry in parsed.entries],
        "published": [bool(entry.get("published_parsed")) for entry in parsed.entries],
        "updated": [bool(entry.get("updated_parsed")) for entry in parsed.entries],
        "texts": [len(entry.content[0].value) for entry in parsed.entries],
    }))
