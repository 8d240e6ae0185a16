"""Makes the Anki packages beside this file. Needs `pip install genanki==0.13.1 anki==26.9.3`."""

import os
import struct
import sys
import tempfile
import zlib

import genanki
from anki.collection import Collection, ExportAnkiPackageOptions
from anki.collection import DeckIdLimit

HERE = os.path.dirname(os.path.abspath(__file__))
CARDS = [("der Hund", "the dog"), ("die Katze", "the cat"), ("das Pferd", "the horse"),
         ("die Kuh", "the cow"), ("<b>das</b> Schaf&nbsp;&amp; die Ziege", "sheep and goat")]


def png():
    """One red point."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\xff\0\0")) + chunk(b"IEND", b"")


def legacy(folder):
    picture = os.path.join(folder, "red.png")
    open(picture, "wb").write(png())
    deck = genanki.Deck(1607392319, "Animals")
    for front, back in CARDS:
        deck.add_note(genanki.Note(model=genanki.BASIC_MODEL, fields=[front, back], guid=front, tags=["animal"]))
    deck.add_note(genanki.Note(
        model=genanki.BASIC_MODEL, fields=["Which colour? <img src=\"red.png\">", "red"], guid="colour"))
    deck.add_note(genanki.Note(
        model=genanki.CLOZE_MODEL, fields=["{{c1::Bern}} is the capital of {{c2::Switzerland::country}}.", ""], guid="cloze"))
    package = genanki.Package(deck)
    package.media_files = [picture]
    package.write_to_file(os.path.join(HERE, "legacy.apkg"), timestamp=1_700_000_000)


def modern(folder):
    col = Collection(os.path.join(folder, "collection.anki2"))
    col.media.add_file(os.path.join(folder, "red.png"))
    basic = col.models.by_name("Basic")
    deck = col.decks.id("Animals")
    for front, back in CARDS + [("Which colour? <img src=\"red.png\">", "red")]:
        note = col.new_note(basic)
        note["Front"], note["Back"] = front, back
        note.tags = ["animal"]
        col.add_note(note, deck)
    cloze = col.new_note(col.models.by_name("Cloze"))
    cloze["Text"] = "{{c1::Bern}} is the capital of {{c2::Switzerland::country}}."
    col.add_note(cloze, deck)
    col.decks.select(deck)
    for ease in (3, 1, 4):
        card = col.sched.getCard()
        card.start_timer()
        col.sched.answerCard(card, ease)
    options = ExportAnkiPackageOptions(
        with_scheduling=True, with_deck_configs=True, with_media=True, legacy=False)
    path = os.path.join(HERE, "modern.apkg")
    col.export_anki_package(out_path=path, options=options, limit=DeckIdLimit(deck_id=deck))
    options.legacy = True
    path = os.path.join(HERE, "transitional.apkg")
    col.export_anki_package(out_path=path, options=options, limit=DeckIdLimit(deck_id=deck))
    col.close()


with tempfile.TemporaryDirectory() as folder:
    legacy(folder)
    modern(folder)
