package import ContentModel

extension ContentEditor {
    /// Returns the changes that replace some questions of a bank; all other bytes stay unchanged.
    ///
    /// - Parameters:
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - edit: A function that returns the new value of a question by its id; `nil` to leave it unchanged. For two
    ///     questions with the same id, the first one.
    /// - Returns: A change for each file that differs.
    /// - Throws: `PublishingError` `noSuchContent`, `contentErrors` if a file cannot be parsed, `invalidRequest` if a
    ///   value cannot be replaced separately, `unreadable`.
    package func changes(
        in bank: String, _ edit: (_ id: String, _ value: JSONValue) -> JSONValue?
    ) throws -> [ContentChange] {
        var seen: Set<String> = []
        return try texts(of: bank).compactMap { text in
            guard let list = text.questionList else { return nil }
            var changes: [(path: [DocumentStep], value: JSONValue)] = []
            for (index, node) in list.nodes.enumerated() {
                let value = node.value
                guard case .string(let id)? = node.member("id")?.value.content,
                    seen.insert(id).inserted, let new = edit(id, value), new != value
                else { continue }
                changes.append((list.path + [.element(index)], new))
            }
            guard !changes.isEmpty else { return nil }
            return ContentChange(
                file: text.file, before: Checksum(of: text.bytes),
                bytes: try text.replacing(changes))
        }
    }

    /// Returns the change that adds a question at the end of a bank's last file, in its style.
    ///
    /// - Throws: `PublishingError` `noSuchContent` if the bank has no file of questions, `contentErrors` if its file
    ///   cannot be parsed, `invalidRequest` if no question can be added to it.
    package func appending(_ question: JSONValue, to bank: String) throws -> ContentChange {
        guard let text = try texts(of: bank).last(where: { $0.questionList != nil }),
            let list = text.questionList
        else {
            throw PublishingError(
                .noSuchContent, "\(folder) has no file of questions for \(bank).")
        }
        return ContentChange(
            file: text.file, before: Checksum(of: text.bytes),
            bytes: try text.appending(question, toListAt: list.path))
    }

    /// Returns the change that removes a question from its file.
    ///
    /// - Throws: `PublishingError` `noSuchContent` if the bank has no such question, `contentErrors` if a file cannot
    ///   be parsed, `invalidRequest` if the question cannot be removed separately.
    package func removing(_ id: String, from bank: String) throws -> ContentChange {
        for text in try texts(of: bank) {
            guard let list = text.questionList, let index = text.questionIndex(id) else { continue }
            return ContentChange(
                file: text.file, before: Checksum(of: text.bytes),
                bytes: try text.removing(index, fromListAt: list.path))
        }
        throw PublishingError(.noSuchContent, "\(bank) has no question \(id).")
    }

    /// Returns a question as a text of a file has it; `nil` for a text without it, or one that cannot be parsed.
    static func question(_ id: String, inText bytes: [UInt8], file: String) -> JSONValue? {
        guard let text = try? SourceText(bytes, file: file) else { return nil }
        return text.questionIndex(id).flatMap { text.questionList?.nodes[$0].value }
    }

    /// Returns a question as a part of a text of a file; `nil` for a text without it, or one that cannot be parsed.
    static func question(
        _ id: String, of bank: String, inText bytes: [UInt8], file: String
    ) -> ContentPart? {
        guard let text = try? SourceText(bytes, file: file), let list = text.questionList,
            let index = text.questionIndex(id)
        else { return nil }
        return ContentPart(
            name: .question(id: id, bank: bank), file: file, fileBytes: bytes,
            position: list.nodes[index].position, value: list.nodes[index].value,
            path: list.path + [.element(index)])
    }

    private func texts(of bank: String) throws -> [SourceText] {
        guard let sources = try BankFolder(folder).banks.first(where: { $0.name == bank }) else {
            throw PublishingError(.noSuchContent, "\(folder) has no bank \(bank).")
        }
        return try sources.documents.map { source in
            let bytes = try Files.read(
                folder + "/" + source.path, limit: ContentLimits.documentBytesMax)
            return try SourceText(bytes, file: source.path)
        }
    }
}

extension SourceText {
    /// The path and elements of the list of questions; `nil` without one.
    fileprivate var questionList: (path: [DocumentStep], nodes: [DocumentNode])? {
        if case .array(let nodes) = root.content { return ([], nodes) }
        guard case .array(let nodes)? = root.member("questions")?.value.content else { return nil }
        return ([.member("questions")], nodes)
    }

    /// Returns the index of a question in the list; `nil` when it is not there.
    fileprivate func questionIndex(_ id: String) -> Int? {
        questionList?.nodes.firstIndex { $0.member("id")?.value.value == .string(id) }
    }
}
