extension TextMistakeFinder {
    /// Reports elements with an end tag, `<br>` and entities, each name once.
    mutating func checkHTML() {
        var seen: Set<String> = []
        let ends = endTags()
        for place in words.indices {
            let found: (name: String, message: String)? =
                switch words[place] {
                case UInt8(ascii: "<"): element(at: place, ends)
                case UInt8(ascii: "&"): entity(at: place)
                default: nil
                }
            guard let found, seen.insert(found.name).inserted else { continue }
            note(.textHTML, at: place, found.message)
        }
    }

    /// Returns the place of the last end tag of each element.
    private func endTags() -> [String: Int] {
        var ends: [String: Int] = [:]
        for place in words.indices.dropLast()
        where words[place] == UInt8(ascii: "<") && words[place + 1] == UInt8(ascii: "/") {
            ends[name(at: place + 2)] = place
        }
        return ends
    }

    private func element(at place: Int, _ ends: [String: Int]) -> (String, String)? {
        let name = name(at: place + 1)
        let isElement = !name.isEmpty && ends[name] ?? 0 > place
        guard isElement || name == "br" else { return nil }
        return (
            "<" + name,
            "`<\(name)>` is shown as it is typed"
        )
    }

    private func entity(at place: Int) -> (String, String)? {
        let body = words[(place + 1)...].prefix(32).prefix {
            $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "#")
        }
        let end = place + 1 + body.count
        let name = String(decoding: body, as: UTF8.self)
        guard end < words.count, words[end] == UInt8(ascii: ";"),
            name.hasPrefix("#") || HTMLEntity.names.contains(name)
        else { return nil }
        return ("&" + name, "`&\(name);` is shown as it is typed")
    }

    /// Returns the name of a tag in lower case.
    private func name(at place: Int) -> String {
        let name = words[min(place, words.count)...].prefix(16).prefix { $0.isLetter || $0.isDigit }
        guard name.first?.isLetter == true else { return "" }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    /// Reports formulas between other marks than dollars, each sort once.
    mutating func checkDialect() {
        for (open, close) in [("\\(", "\\)"), ("\\[", "\\]"), ("[latex]", "[/latex]")] {
            guard let start = first(open, from: 0),
                let end = first(close, from: start + open.utf8.count)
            else { continue }
            let content = wordsAndEscapes[start + open.utf8.count..<end]
            guard open != "\\[" || Self.isTeX(content) else { continue }
            note(
                .textDialect, at: start,
                "`\(open)` opens no formula")
        }
    }

    /// Reports marks of the form `markdown` in a plain text.
    mutating func checkMarks() {
        if let start = first("**", from: 0), let end = first("**", from: start + 3),
            !FormulaScan.isSpace(words[start + 2]), !FormulaScan.isSpace(words[end - 1])
        {
            noteMarks(at: start)
        }
        var place = 0
        while let start = first("$", from: place) {
            let end = FormulaScan.end(in: words, from: start, marks: 1)
            if let end, words[start..<end].contains(where: { "\\^_".utf8.contains($0) }) {
                return noteMarks(at: start)
            }
            place = end ?? start + 1
        }
    }

    private mutating func noteMarks(at place: Int) {
        note(
            .textDialect, at: place,
            "a plain text shows these marks as they are typed")
    }

    private func first(_ mark: String, from start: Int) -> Int? {
        let mark = Array(mark.utf8)
        guard wordsAndEscapes.count >= start + mark.count else { return nil }
        return (start...wordsAndEscapes.count - mark.count).first { place in
            wordsAndEscapes[place] == mark[0] && wordsAndEscapes[place...].starts(with: mark)
        }
    }

    /// Returns true for a content with signs that formulas have, and words between brackets have not.
    private static func isTeX(_ content: ArraySlice<UInt8>) -> Bool {
        content.contains { "^_=\\".utf8.contains($0) } || content.count == 1
    }
}

/// The entities of HTML that authors type.
private enum HTMLEntity {
    static let names: Set<String> = [
        "amp", "lt", "gt", "quot", "apos", "nbsp", "ndash", "mdash", "hellip", "lsquo", "rsquo",
        "ldquo", "rdquo",
        "laquo", "raquo", "bull", "middot", "copy", "reg", "trade", "deg", "plusmn", "times",
        "divide", "frac12",
        "frac14", "sup2", "sup3", "euro", "pound", "yen", "cent", "sect", "para", "larr", "rarr",
        "uarr", "darr",
        "harr", "rArr", "hArr", "ne", "le", "ge", "asymp", "infin", "radic", "sum", "minus",
        "micro", "alpha",
        "beta", "gamma", "delta", "Delta", "epsilon", "theta", "lambda", "mu", "pi", "rho", "sigma",
        "Sigma", "phi",
        "omega", "Omega", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil",
        "egrave",
        "eacute", "ecirc", "euml", "igrave", "iacute", "icirc", "iuml", "ntilde", "ograve",
        "oacute", "ocirc",
        "otilde", "ouml", "oslash", "ugrave", "uacute", "ucirc", "uuml", "szlig", "Auml", "Ouml",
        "Uuml", "Eacute",
        "ensp", "emsp", "thinsp", "shy", "zwj", "zwnj", "lrm", "rlm",
    ]
}
