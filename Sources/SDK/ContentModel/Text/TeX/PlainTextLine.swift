/// A line of plain text, which has single spaces and none at its ends.
struct PlainTextLine {
    /// The text without the space that waits for what follows.
    private(set) var text = ""
    private var isSpaceDue = false

    /// True if a name after the text would run into it.
    var endsInWord: Bool {
        guard !isSpaceDue, let last = text.last else { return false }
        return last.isLetter || last.isNumber
    }

    /// Adds a text as it is.
    mutating func add(_ part: String) {
        guard !part.isEmpty else { return }
        if isSpaceDue { text += " " }
        isSpaceDue = false
        text += part
    }

    /// Adds a space, unless the text has one, begins here, or has an opening bracket at its end.
    mutating func addSpace() {
        isSpaceDue = !text.isEmpty && !"([{⟨⌊⌈".contains(text.last ?? " ")
    }

    /// Adds a text between spaces.
    mutating func addSpaced(_ part: String) {
        addSpace()
        add(part)
        addSpace()
    }

    /// Adds words, whose spaces at their ends join those of the line.
    mutating func addWords(_ words: String) {
        let isSpace = \Character.isWhitespace
        if words.first?[keyPath: isSpace] == true { addSpace() }
        add(words.singleSpaced)
        if words.last?[keyPath: isSpace] == true { addSpace() }
    }
}
