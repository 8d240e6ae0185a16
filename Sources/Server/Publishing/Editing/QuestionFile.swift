package import ContentModel

/// A file of questions in a content folder: a list, or a map with `questions`.
package struct QuestionFile {
    private let text: SourceText
    private let paths: [String: [DocumentStep]]

    /// Parses a file.
    ///
    /// - Throws: `PublishingError` `contentErrors` with the place of the syntax error.
    package init(_ bytes: [UInt8], file: String) throws {
        text = try SourceText(bytes, file: file)
        let isList = if case .array = text.root.content { true } else { false }
        let head: [DocumentStep] = isList ? [] : [.member("questions")]
        var paths: [String: [DocumentStep]] = [:]
        if case .array(let nodes)? = text.root.node(at: head)?.content {
            for (index, node) in nodes.enumerated() {
                guard case .string(let id)? = node.member("id")?.value.value else { continue }
                paths[id] = paths[id] ?? head + [.element(index)]
            }
        }
        self.paths = paths
    }

    /// The ids of its questions.
    package var ids: some Collection<String> { paths.keys }

    /// Returns the file with some of its questions replaced; all other bytes stay unchanged, including comments.
    ///
    /// - Parameters:
    ///   - questions: The questions; unknown ids are ignored.
    ///   - form: The form of texts that the bank declares.
    /// - Returns: The bytes of the file.
    /// - Throws: `PublishingError` `invalidRequest` if a question cannot be replaced separately, for example because
    ///   a YAML alias shares it.
    package func replacing(
        _ questions: [Question], inBankOf form: TextForm
    ) throws -> [UInt8] {
        try text.replacing(
            questions.compactMap { question in
                paths[question.id].map { ($0, question.json(inBankOf: form)) }
            })
    }
}
