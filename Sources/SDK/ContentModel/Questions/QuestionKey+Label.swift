extension Question {
    /// The key as one text, as tables of answers and proposals name it.
    ///
    /// | key | label |
    /// |---|---|
    /// | one option | its id: `b` |
    /// | several options | their ids in order: `a c` |
    /// | an order | the ids in the right order: `c a b` |
    /// | a number | as in a table: `9.81:0.01` |
    package var keyLabel: String {
        switch key {
        case .number(let number): return number.notation
        case .options(let indices):
            let ids = indices.compactMap { options.indices.contains($0) ? options[$0].id : nil }
            return (type.isOrder ? ids : ids.sorted()).joined(separator: " ")
        }
    }

    /// Returns true when the key is that of a label, in any order of unordered options.
    package func hasKey(_ label: String) -> Bool { withKey(label)?.key == key }

    /// Returns the question with the key of a label; a number retains its unit and, if the label has only a value, its
    /// tolerance.
    ///
    /// - Parameter label: The key, as ``keyLabel`` names it.
    /// - Returns: `nil` for a label that this question cannot have.
    package func withKey(_ label: String) -> Question? {
        var question = self
        if let number = correctNumber {
            guard let key = number.moved(to: label) else { return nil }
            question.key = .number(key)
            return question
        }
        let ids = label.split(separator: " ").map(String.init)
        let indices = ids.compactMap { id in options.firstIndex { $0.id == id } }
        guard !ids.isEmpty, indices.count == ids.count, Set(indices).count == ids.count else {
            return nil
        }
        switch type {
        case .singleChoice, .codeSnippet: guard indices.count == 1 else { return nil }
        case .ordering: guard indices.count == options.count else { return nil }
        case .multiChoice, .numericEntry: break
        }
        question.correct = type.isOrder ? indices : indices.sorted()
        return question
    }
}

extension NumericKey {
    fileprivate func moved(to label: String) -> NumericKey? {
        guard var key = NumericKey(notation: label) else { return nil }
        key.unit = unit
        if let value = DecimalNumber(label), case .value(_, let tolerance) = accepted {
            key.accepted = .value(value, tolerance)
        }
        return key
    }
}
