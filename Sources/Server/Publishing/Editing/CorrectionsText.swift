import ContentModel

/// The text of a file of corrections, to which an entry is appended; all other bytes stay.
struct CorrectionsText {
    /// The corrections that the file has.
    let corrections: [GradeCorrection]

    private let file: String
    private let bytes: [UInt8]
    /// The document; `nil` for a file with nothing but comments.
    private let text: SourceText?

    /// Reads a file; no bytes for one that does not exist.
    ///
    /// - Throws: `PublishingError` `contentErrors` with the place where it cannot be read.
    init(_ bytes: [UInt8], file: String) throws {
        self.file = file
        self.bytes = bytes
        guard Self.hasContent(bytes) else {
            (corrections, text) = ([], nil)
            return
        }
        let text = try SourceText(bytes, file: file)
        let report = DecodingReport(file: file, strictness: .authored)
        var bank = Blueprint(kind: .exam, id: "", title: "", version: "", questions: [])
        bank.addCorrections(text.root, report: report)
        if report.hasErrors {
            throw PublishingError(
                .contentErrors, "\(file) has errors; correct it by hand first.",
                problems: report.problems)
        }
        self.text = text
        corrections = bank.corrections
    }

    private static func hasContent(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains {
            let line = $0.drop(while: \.isWhitespace)
            return !line.isEmpty && line.first != "#" && line.first != "\u{FEFF}"
        }
    }

    /// Returns the bytes with an entry at the end.
    ///
    /// - Throws: `PublishingError` `invalidRequest` when that needs more than appending.
    func appending(_ correction: GradeCorrection) throws -> [UInt8] {
        let value = correction.json
        guard let text else { return appended(value, column: 0) }
        let path: [DocumentStep] =
            if case .array = text.root.content { [] } else { [.member("corrections")] }
        let list = JSONValue.array(text.root.correctionNodes.map(\.value) + [value])
        let wanted = text.root.value.replacing(path, with: list)
        if let column = dashColumn(text) {
            let report = DecodingReport(file: file, strictness: .authored)
            let edited = appended(value, column: column)
            let read = SourceDocument.parse(edited, report: report)
            if read?.value.canonicalBytes == wanted.canonicalBytes { return edited }
        }
        // A list on one line, or an empty one.
        return try text.replacing(path, with: list)
    }

    private func appended(_ value: JSONValue, column: Int) -> [UInt8] {
        let newline = SourceLines(bytes, isJSON: false).newline
        let fragment = SourceFragment(isJSON: false, newline: newline)
        let entry = fragment.block(
            value, column: column + 2, like: ["question", "day", "was", "is", "versions"])
        let isEnded = bytes.isEmpty || bytes.last == UInt8(ascii: "\n")
        return bytes + Array((isEnded ? "" : newline).utf8)
            + Array((String(repeating: " ", count: column) + "- " + entry + newline).utf8)
    }

    /// Returns the spaces before the dash of the last entry; `nil` where entries have none.
    private func dashColumn(_ text: SourceText) -> Int? {
        guard let last = text.root.correctionNodes.last else { return nil }
        let lines = SourceLines(bytes, isJSON: false)
        let start = lines.offset(of: last.position)
        guard let dash = bytes[..<start].lastIndex(of: UInt8(ascii: "-")),
            bytes[dash + 1..<start].allSatisfy({ $0 == UInt8(ascii: " ") }),
            let line = lines.indentationStart(dash)
        else { return nil }
        return dash - line
    }
}
