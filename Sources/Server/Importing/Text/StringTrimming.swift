extension String {
    /// The text without white space around it.
    var trimmed: String {
        var rest = self[...]
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return String(rest.drop { $0.isWhitespace })
    }
}
