import ContentModel
import Yams

/// A guard against YAML with many marked keys (`?`): Yams hashes each such key with all nested
/// values.
///
/// Only the parser can tell a mark from text. So where there are many question marks, the text is
/// first composed with a letter in the place of each. That text has no marked key, and a plain
/// scalar which begins with the letter was one.
struct YAMLMarkedKeys {
    /// The number of question marks up to which a file is not examined.
    static let countMax = 64

    /// The replacement of a question mark: a character that is only ever text.
    private static let marker: Character = "\u{E001}"
    private static let message =
        "a name must be text; write it without a question mark before it"

    /// Checks a text in UTF-8.
    ///
    /// - Throws: `DocumentSyntaxError` with the place of a marked key, or of a syntax error.
    static func check(_ bytes: [UInt8]) throws(DocumentSyntaxError) {
        let places = YAMLScan.keyMarks(in: bytes)
        guard places.count > countMax else { return }
        let masked = YAMLScan.masked(bytes, at: places, marker: marker)
        let key: SourcePosition?
        do throws(DocumentSyntaxError) {
            // An alias in a key would be hashed with its whole value.
            key = try YAMLExpansion.compose(YAMLExpansion.masked(masked) ?? text(masked)) {
                firstKey(in: $0, isFlow: false)
            }
        } catch {
            throw explained(error, bytes, places)
        }
        guard let key else { return }
        throw DocumentSyntaxError(position: key, message: message)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the place of the first scalar that was a marked key; in a flow collection the mark
    /// needs no space after it.
    private static func firstKey(in node: Node, isFlow: Bool) -> SourcePosition? {
        switch node {
        case .scalar(let scalar):
            guard scalar.style == .plain, scalar.string.first == marker else { return nil }
            let isKey = isFlow || scalar.string.dropFirst().first.map(\.isWhitespace) ?? true
            return isKey ? SourcePosition(scalar.mark) : nil
        case .sequence(let sequence):
            let isFlow = isFlow || sequence.style == .flow
            for element in sequence {
                if let key = firstKey(in: element, isFlow: isFlow) { return key }
            }
        case .mapping(let mapping):
            let isFlow = isFlow || mapping.style == .flow
            for (key, value) in mapping {
                if let key = firstKey(in: key, isFlow: isFlow) { return key }
                if let key = firstKey(in: value, isFlow: isFlow) { return key }
            }
        case .alias: break
        }
        return nil
    }

    /// Returns an error that names the question mark where the text without it is invalid.
    private static func explained(
        _ error: DocumentSyntaxError, _ bytes: [UInt8], _ places: [Int]
    ) -> DocumentSyntaxError {
        var error = error
        error.message.replace(String(marker), with: "?")
        let lines = YAMLScan.lines(of: places, in: bytes)
        let near = (error.position.line - 1)...error.position.line
        guard let line = lines.last(where: near.contains) else { return error }
        return DocumentSyntaxError(
            position: SourcePosition(line: line, column: 1), message: message)
    }
}
