import ContentModel

extension QuestionDraft {
    /// Applies marks of the form `name=value` that an export of ours wrote; others become tags.
    mutating func apply(marks: [String]) {
        for mark in marks {
            let parts = mark.split(separator: "=", maxSplits: 1).map(String.init)
            switch (parts.first, parts.count) {
            case ("difficulty", 2): difficulty = Int(parts[1])
            case ("domain", 2): domain = parts[1]
            case ("type", 2):
                if let exact = QuestionType(rawValue: parts[1]) { type = exact }
            case ("shuffle", 2): shufflesOptions = parts[1] != "false"
            case ("retired", 2): isRetired = parts[1] == "true"
            case ("language", 2): code = CodeSnippet(language: parts[1], text: code?.text ?? "")
            case ("codeLines", 2): moveCode(lines: Int(parts[1]) ?? 0)
            case ("unit", 2) where number != nil: number?.unit = parts[1]
            case ("relativeTolerance", 2) where number != nil: applyRelativeTolerance(parts[1])
            case ("options", 2):
                for (index, id) in parts[1].split(separator: " ").enumerated()
                where options.indices.contains(index) { options[index].id = String(id) }
            case ("pinned", 2):
                for index in parts[1].split(separator: " ").compactMap({ Int($0) })
                where options.indices.contains(index) { options[index].isPinned = true }
            case ("places", 2): moveOptions(parts[1].split(separator: " ").compactMap { Int($0) })
            default: tags.append(mark)
            }
        }
    }

    /// Replaces the absolute tolerance that GIFT requires by the relative one of a mark.
    private mutating func applyRelativeTolerance(_ text: String) {
        guard let share = DecimalNumber(text), case .value(let value, _) = number?.accepted else {
            return
        }
        number?.accepted = .value(value, .relative(share))
    }

    /// Moves the options of an ordering, which are in their right order, to the places that they had.
    private mutating func moveOptions(_ places: [Int]) {
        guard order != nil, places.sorted() == Array(options.indices) else { return }
        let sorted = options
        for (index, place) in places.enumerated() { options[place] = sorted[index] }
        order = places
    }

    /// Moves the last lines of the stem to the code.
    private mutating func moveCode(lines: Int) {
        let all = stem.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines > 0, lines < all.count else { return }
        code?.text = all.suffix(lines).joined(separator: "\n")
        stem = all.dropLast(lines).joined(separator: "\n")
    }
}
