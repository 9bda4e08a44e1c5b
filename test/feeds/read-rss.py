"""RSS files as JSON, one line a file: read by expat, which knows nothing of how they were written."""
import html
import json
import sys
import xml.etree.ElementTree as tree

ATOM = "{http://www.w3.org/2005/Atom}"
DC = "{http://purl.org/dc/elements/1.1/}"
CONTENT = "{http://purl.org/rss/1.0/modules/content/}"


def text(element, name):
    found = element.find(name)
    return None if found is None else found.text or ""


def item(element):
    guid = element.find("guid")
    return {
        "title": text(element, "title"),
        "link": text(element, "link"),
        "guid": guid.text,
        "isPermaLink": guid.get("isPermaLink"),
        "pubDate": text(element, "pubDate"),
        "updated": text(element, ATOM + "updated"),
        "creators": [one.text or "" for one in element.findall(DC + "creator")],
        "language": text(element, DC + "language"),
        "categories": [one.text or "" for one in element.findall("category")],
        "description": text(element, "description"),
        "summary": html.unescape(text(element, "description")),
        "content": text(element, CONTENT + "encoded"),
    }


for path in sys.argv[1:]:
    root = tree.parse(path).getroot()
    channel = root.find("channel")
    print(json.dumps({
        "version": root.get("version"),
        "title": text(channel, "title"),
        "link": text(channel, "link"),
        "description": text(channel, "description"),
        "language": text(channel, "language"),
        "lastBuildDate": text(channel, "lastBuildDate"),
        "links": [dict(one.attrib) for one in channel.findall(ATOM + "link")],
        "items": [item(one) for one in channel.findall("item")],
    }))
