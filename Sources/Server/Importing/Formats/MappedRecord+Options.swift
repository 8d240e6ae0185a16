import ContentModel

/// The options of a record: a list, a map by letters, or columns.
extension MappedRecord {
    /// Returns one answer, or several letters or numbers with separators.
    static func marks(_ text: String, _ options: [QuestionDraft.Option]) -> [String] {
        if options.contains(where: { $0.text == text }) { return [text] }
        let parts = text.split { ",; |".contains($0) }.map(String.init)
        return parts.allSatisfy { $0.count <= 2 } ? parts : [text]
    }

    /// An option with its letter, number or id in the file.
    struct NamedOption {
        var name: String?
        var option: QuestionDraft.Option
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
            return values.map {
                NamedOption(name: Self.id(of: $0).flatMap(text), option: option($0))
            }
        case .object(let members):
            return members.sorted { $0.key < $1.key }.map {
                NamedOption(name: $0.key, option: option($0.value))
            }
        default:
            return optionColumns.map { name, column in
                NamedOption(name: name, option: option(name, column))
            }
        }
    }

    private static func id(of value: JSONValue) -> JSONValue? {
        guard case .object(let members) = value else { return nil }
        return members["id"]
    }

    /// Returns the option of a column, with its columns of image and feedback.
    private func option(_ name: String, _ column: String) -> QuestionDraft.Option {
        var option = fields[column].map(option) ?? .init(text: "")
        option.image = value("image_" + name).flatMap(text) ?? option.image
        option.feedback = value("feedback_" + name).flatMap(text)
        return option
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

    /// Returns the option of a text or an object; a blank one for anything else.
    private func option(_ value: JSONValue) -> QuestionDraft.Option {
        if case .object(let members) = value { return option(members) ?? .init(text: "") }
        guard let content = content(value) else { return .init(text: "") }
        return .init(text: content.text, image: content.images.first)
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
