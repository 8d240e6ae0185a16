import ContentModel

/// A source file as an editor sees it: its bytes, and the tree that they give.
struct SourceText: Sendable {
    /// The path relative to the content folder; its ending decides the language.
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

    /// Returns the bytes with one value replaced; all that is outside of the value stays byte for byte,
    /// comments too, and of a map or list only the parts change that differ.
    ///
    /// Each way to write the value is read back before it is returned. The first tries to change
    /// least, the last is a single line that is right wherever a value may be.
    ///
    /// - Throws: `PublishingError` `invalidRequest` where no way gives the wanted document, as for a
    ///   value that an alias of YAML shares.
    func replacing(_ path: [DocumentStep], with value: JSONValue) throws -> [UInt8] {
        guard let node = root.node(at: path) else {
            throw PublishingError(.invalidRequest, "\(file) has no such value.")
        }
        if node.value.canonicalBytes == value.canonicalBytes { return bytes }
        let wanted = root.value.replacing(path, with: value).canonicalBytes
        for way in SourceEdit.Way.allCases {
            var edit = SourceEdit(self, way: way)
            guard let edited = edit.bytes(replacing: path, with: value) else { continue }
            let report = DecodingReport(file: file, strictness: .authored)
            let read = SourceDocument.parse(edited, report: report)
            if read?.value.canonicalBytes == wanted { return edited }
        }
        throw PublishingError(
            .invalidRequest,
            "\(file):\(node.position.line) cannot be changed without changing more than the value;"
                + " edit the file by hand.")
    }
}
