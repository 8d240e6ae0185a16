import ContentModel

/// A source file in an editor: its bytes, and the parsed tree.
struct SourceText: Sendable {
    /// The path relative to the content folder; its extension decides the language.
    let file: String
    /// The bytes.
    let bytes: [UInt8]
    /// The tree.
    let root: DocumentNode

    /// Parses a file.
    ///
    /// - Throws: `PublishingError` `contentErrors` with the place where it cannot be parsed.
    init(_ bytes: [UInt8], file: String) throws {
        let report = DecodingReport(file: file, strictness: .authored)
        guard let root = SourceDocument.parse(bytes, report: report) else {
            throw PublishingError(
                .contentErrors, "\(file) cannot be read; correct it by hand first.",
                problems: report.problems)
        }
        self.file = file
        self.bytes = bytes
        self.root = root
    }

    /// Returns the bytes with one value replaced, see ``replacing(_:)``.
    func replacing(_ path: [DocumentStep], with value: JSONValue) throws -> [UInt8] {
        try replacing([(path, value)])
    }

    /// Returns the bytes with values replaced; all bytes outside of the values stay the same,
    /// comments too, and in a map or list only the differences change.
    ///
    /// Strategies are tried from the smallest change to a single line that is valid wherever a
    /// value may be. Each result is parsed again and compared before it is returned.
    ///
    /// - Throws: `PublishingError` `invalidRequest` when no strategy gives the wanted document, as
    ///   for a value that an alias of YAML shares.
    func replacing(_ changes: [(path: [DocumentStep], value: JSONValue)]) throws -> [UInt8] {
        var wanted = root.value
        var first: DocumentNode?
        for (path, value) in changes {
            guard let node = root.node(at: path) else {
                throw PublishingError(.invalidRequest, "\(file) has no such value.")
            }
            if node.value.canonicalBytes == value.canonicalBytes { continue }
            wanted = wanted.replacing(path, with: value)
            first = first ?? node
        }
        guard let first else { return bytes }
        for strategy in SourceEdit.Strategy.allCases {
            var edit = SourceEdit(self, strategy: strategy)
            guard let edited = edit.bytes(replacing: changes) else { continue }
            let report = DecodingReport(file: file, strictness: .authored)
            let read = SourceDocument.parse(edited, report: report)
            if read?.value.canonicalBytes == wanted.canonicalBytes { return edited }
        }
        throw PublishingError(
            .invalidRequest,
            "\(file):\(first.position.line) cannot be changed without changing more than the value;"
                + " edit the file by hand.")
    }
}
