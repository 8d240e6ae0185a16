import ContentModel

/// The options of a record: a list, a map by letters, or columns.
extension MappedRecord {
    /// An option with its letter, number or id in the file.
    struct NamedOption {
        var name: String?
        /// Its further letters, numbers or names in the file.
        var furtherNames: [String] = []
        var option: QuestionDraft.Option
        /// True when its name is that of its column.
        var isColumn = false
        /// True when it is a number without quotation marks.
        var isTypedNumber = false
    }

    /// Returns the options in the order of the file.
    ///
    /// Those without text and image at the end are left out. Others keep their place until the key is
    /// read, so that none moves another: ``QuestionDraft/dropBlankOptions()``.
    func namedOptions() -> [NamedOption] {
        var options = listedOptions()
        while options.last?.option.isBlank == true { options.removeLast() }
        return options
    }

    private func listedOptions() -> [NamedOption] {
        switch value("options") {
        case .array(let values):
            return zip(values, labels(values)).map { value, labels in
                NamedOption(
                    name: labels.first, furtherNames: Array(labels.dropFirst()),
                    option: option(value), isTypedNumber: Self.isNumber(value))
            }
        case .object(let members):
            if let parallel = Self.parallel(members) {
                return parallel.map {
                    NamedOption(name: $0.label.flatMap(text), option: option($0.text))
                }
            }
            return members.sorted { $0.key < $1.key }.map {
                NamedOption(name: $0.key, option: option($0.value))
            }
        default:
            return optionColumns.map { name, column in
                NamedOption(name: name, option: option(name, column), isColumn: true)
            }
        }
    }

    /// The names of what labels an option beside its text.
    private static let labelNames = [
        "id", "label", "letter", "key", "number", "index", "value", "option",
    ]

    /// Returns the labels of each option: its id and label, and what else all options have and no two share.
    private func labels(_ values: [JSONValue]) -> [[String]] {
        var labels = values.map { _ in [String]() }
        for name in Self.labelNames {
            let found = values.map { Self.label(name, of: $0).flatMap(text) }
            let all = found.compactMap { $0?.lowercased() }
            let isEach = all.count == values.count && Set(all).count == all.count
            guard isEach || name == "id" || name == "label" else { continue }
            for (index, label) in found.enumerated() {
                if let label { labels[index].append(label) }
            }
        }
        return labels
    }

    /// Returns a letter, number or name that is not itself the text of an option.
    private static func label(_ name: String, of value: JSONValue) -> JSONValue? {
        guard case .object(let members) = value, let label = members[name],
            textNames.first(where: { members[$0] != nil && members[$0] != .null }) != name
        else { return nil }
        switch label {
        case .string, .integer: return label
        default: return nil
        }
    }

    private static func isNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .integer, .decimal: true
        default: false
        }
    }

    /// Returns the options of `{"text": [...], "label": [...]}`; `nil` for another map.
    private static func parallel(
        _ members: [String: JSONValue]
    ) -> [(label: JSONValue?, text: JSONValue)]? {
        guard case .array(let texts)? = textNames.lazy.compactMap({ members[$0] }).first else {
            return nil
        }
        let names = ["label", "labels", "letter", "letters", "key", "keys"]
        guard case .array(let labels)? = names.lazy.compactMap({ members[$0] }).first,
            labels.count == texts.count
        else { return texts.map { (nil, $0) } }
        return zip(labels, texts).map { ($0, $1) }
    }

    /// The names of an option's text, of which the last may also be that of its letter.
    private static let textNames = [
        "text", "answer", "answerText", "answer_text", "option", "content", "value", "label",
    ]

    /// Returns the option of a column, with its columns of image and feedback.
    private func option(_ name: String, _ column: String) -> QuestionDraft.Option {
        var option = fields[column].map(option) ?? .init(text: "")
        option.image = value("image_" + name).flatMap(text) ?? option.image
        option.feedback = value("feedback_" + name).flatMap(text)
        return option
    }

    /// Returns the letter or number of a column such as `option_a`, `opa`, `Answer 2` or `C`; `nil` for
    /// others.
    static func optionName(_ column: String) -> String? {
        var rest = column.lowercased()[...]
        if let word = FieldWords.options.first(where: rest.hasPrefix) {
            rest = rest.dropFirst(word.count)
        }
        if let mark = rest.first, mark == "_" || mark == " " { rest = rest.dropFirst() }
        let bytes = rest.utf8
        let isLetter = bytes.count == 1 && bytes.allSatisfy { (0x61...0x7A).contains($0) }
        let isNumber =
            (1...2).contains(bytes.count) && bytes.allSatisfy { (0x30...0x39).contains($0) }
        return isLetter || isNumber ? String(rest) : nil
    }

    /// Returns the option of a text or an object; a blank one for anything else.
    private func option(_ value: JSONValue) -> QuestionDraft.Option {
        if case .object(let members) = value { return option(members) ?? .init(text: "") }
        guard let content = content(value) else { return .init(text: "") }
        return .init(text: content.text, image: content.images.first)
    }

    private func option(_ members: [String: JSONValue]) -> QuestionDraft.Option? {
        guard let content = Self.textNames.lazy.compactMap({ members[$0].flatMap(content) }).first
        else {
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
