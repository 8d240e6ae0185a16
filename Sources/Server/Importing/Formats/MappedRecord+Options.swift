import ContentModel

/// The options of a record: a list, a map by letters, or columns.
extension MappedRecord {
    /// Returns one answer, or several letters or numbers with separators.
    static func marks(_ text: String, _ options: [QuestionDraft.Option]) -> [String] {
        if options.contains(where: { $0.text == text }) { return [text] }
        let parts = text.split { ",; |".contains($0) }.map(String.init)
        return parts.allSatisfy { $0.count <= 2 } ? parts : [text]
    }

    func options(_ names: inout [String]) -> [QuestionDraft.Option] {
        switch value("options") {
        case .array(let values):
            let ids = values.compactMap { value -> String? in
                guard case .object(let members) = value else { return nil }
                return members["id"].flatMap(text)
            }
            if ids.count == values.count { names = ids }
            return values.compactMap { value in
                if case .object(let members) = value { return option(members) }
                return content(value).map { option($0) }
            }
        case .object(let members):
            names = members.keys.sorted()
            return names.compactMap { name in
                members[name].flatMap(content).map { option($0) }
            }
        default:
            // Separate columns: option_a, option_b or A, B or answer1, answer2.
            let columns = fields.keys.compactMap { column in
                Self.optionName(column).map { (column: column, name: $0) }
            }.sorted { Self.order($0.name) < Self.order($1.name) }
            return columns.compactMap { column, name in
                let content = fields[column].flatMap(content) ?? MarkupText(plain: "")
                let image = fields["image_" + name].flatMap(text) ?? content.images.first ?? ""
                guard !content.text.isEmpty || !image.isEmpty else { return nil }
                names.append(name)
                return .init(
                    text: content.text, image: image.isEmpty ? nil : image,
                    feedback: fields["feedback_" + name].flatMap(text))
            }
        }
    }

    /// Returns the letter or number of a column such as `option_a`, `Answer 2` or `C`; `nil` for
    /// others.
    static func optionName(_ column: String) -> String? {
        var rest = column.lowercased()[...]
        for word in ["option", "answer", "choice"] where rest.hasPrefix(word) {
            rest = rest.dropFirst(word.count)
            break
        }
        if let mark = rest.first, mark == "_" || mark == " " { rest = rest.dropFirst() }
        let bytes = rest.utf8
        let isLetter = bytes.count == 1 && bytes.allSatisfy { (0x61...0x7A).contains($0) }
        let isNumber =
            (1...2).contains(bytes.count) && bytes.allSatisfy { (0x30...0x39).contains($0) }
        return isLetter || isNumber ? String(rest) : nil
    }

    private func option(_ content: MarkupText) -> QuestionDraft.Option {
        .init(text: content.text, image: content.images.first)
    }

    private static func order(_ name: String) -> Int {
        Int(name) ?? Int(name.unicodeScalars.first?.value ?? 0)
    }

    private func option(_ members: [String: JSONValue]) -> QuestionDraft.Option? {
        let names = ["text", "answer", "option", "content", "value", "label"]
        guard let content = names.lazy.compactMap({ members[$0].flatMap(content) }).first else {
            return nil
        }
        let flags = ["correct", "isCorrect", "is_correct", "right"]
        let isRight = flags.contains {
            members[$0] == true || members[$0] == 1 || members[$0] == "true"
        }
        let image = ["image", "picture"].lazy.compactMap { members[$0].flatMap(text) }.first
        return .init(
            text: content.text, isRight: isRight, image: image ?? content.images.first,
            feedback: members["feedback"].flatMap(text), id: members["id"].flatMap(text))
    }
}
