"""Pages and parts of pages in HTML, read for tests."""

from html.parser import HTMLParser

VOID = {"input", "meta", "br", "hr", "img", "rect", "path", "circle"}


class Page(HTMLParser):
    """What a page is made of, and its text without formulas; an element not closed, or closed twice, is an error."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.text = [], [], ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += "" if "math" in self.open else data

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]
