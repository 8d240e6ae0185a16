package import ContentModel
import Yams

/// A parser of the authors' two formats into one kind of tree.
package enum SourceDocument {
    /// The most values in one file, after expansion of YAML's aliases.
    static let nodesMax = 500_000

    /// Parses a file by its extension: `.json`, otherwise YAML.
    ///
    /// It skips a byte order mark, which Windows' Notepad writes, and adds problems to the report.
    package static func parse(_ bytes: [UInt8], report: DecodingReport) -> DocumentNode? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
        do throws(DocumentSyntaxError) {
            return report.file.hasSuffix(".json")
                ? try JSONParser.parse(bytes) : try parseYAML(bytes)
        } catch {
            report.note(error)
            return nil
        }
    }

    private static func parseYAML(_ bytes: [UInt8]) throws(DocumentSyntaxError) -> DocumentNode {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DocumentSyntaxError(position: .start, message: "text that is not valid UTF-8")
        }
        try YAMLExpansion.check(text, bytes)
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw syntaxError(error, text: text)
        } catch {
            throw DocumentSyntaxError(position: .start, message: "\(error)")
        }
        guard let root else {
            throw DocumentSyntaxError(position: .start, message: "the file is empty")
        }
        var converter = YAMLConverter()
        return try converter.convert(root, depth: 0)
    }

    /// Translates an error of Yams, with its place.
    static func syntaxError(_ error: YamlError, text: String) -> DocumentSyntaxError {
        switch error {
        case .scanner(_, let problem, let mark, _) where problem.hasPrefix("Maximum nesting"),
            .parser(_, let problem, let mark, _) where problem.hasPrefix("Maximum nesting"):
            return DocumentSyntaxError(
                position: .init(mark),
                message: "the file nests too deep; \(JSONParser.depthMax) levels are allowed")
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return DocumentSyntaxError(position: .init(mark), message: hint(problem))
        case .duplicatedKeysInMapping(let names, let context):
            let name = names.first ?? ""
            return DocumentSyntaxError(
                position: secondPlace(of: name, from: .init(context.mark), in: text),
                message: "\"\(name)\" stands here twice", isDuplicateKey: true)
        case .reader(let problem, _, _, _):
            return DocumentSyntaxError(position: .start, message: problem)
        default:
            return DocumentSyntaxError(position: .start, message: "the YAML cannot be read")
        }
    }

    /// Adds what an author can do about a message of the YAML library.
    private static func hint(_ problem: String) -> String {
        switch problem {
        case let text where text.hasPrefix("mapping values are not allowed"):
            "a text with a colon and a space must stand in quotes, as in stem: \"Which is it: a or b?\""
        case let text where text.hasPrefix("found character that cannot start any token"):
            "a text that begins with this character must stand in quotes (and lines are indented by spaces, not tabs)"
        default: problem
        }
    }

    /// Returns the second place of a name in the map that starts at `position`.
    private static func secondPlace(
        of name: String, from position: SourcePosition, in text: String
    ) -> SourcePosition {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var found = 0
        for (index, line) in lines.enumerated().dropFirst(max(0, position.line - 1)) {
            let name = line.firstRange(of: name + ":")
            guard let name else { continue }
            let column = line.distance(from: line.startIndex, to: name.lowerBound) + 1
            if column == position.column { found += 1 }
            if found == 2 { return SourcePosition(line: index + 1, column: column) }
        }
        return position
    }
}

extension SourcePosition {
    /// Creates the position of a mark; the start of the file without one.
    init(_ mark: Mark?) {
        self.init(line: mark?.line ?? 1, column: mark?.column ?? 1)
    }
}

/// A converter from YAML nodes to values with places by the core schema of YAML 1.2: only `true`
/// and `false` are Booleans, so that `no` stays the author's text.
private struct YAMLConverter {
    private var count = 0

    mutating func convert(_ node: Node, depth: Int) throws(DocumentSyntaxError) -> DocumentNode {
        let position = SourcePosition(node.mark)
        count += 1
        guard count <= SourceDocument.nodesMax, depth <= JSONParser.depthMax else {
            throw DocumentSyntaxError(
                position: position, message: "the file is too large or nests too deep")
        }
        switch node {
        case .scalar(let scalar):
            let content = Self.content(of: scalar)
            // JSON, the format of a release, has no infinite numbers.
            if case .decimal(let value) = content, !value.isFinite {
                throw DocumentSyntaxError(position: position, message: "the number is too large")
            }
            return DocumentNode(content, at: position)
        case .sequence(let sequence):
            var elements: [DocumentNode] = []
            for element in sequence {
                elements.append(try convert(element, depth: depth + 1))
            }
            return DocumentNode(.array(elements), at: position)
        case .mapping(let mapping):
            return DocumentNode(.object(try members(mapping, depth: depth)), at: position)
        case .alias:
            throw DocumentSyntaxError(position: position, message: "an alias without its anchor")
        }
    }

    private mutating func members(
        _ mapping: Node.Mapping, depth: Int
    ) throws(DocumentSyntaxError) -> [DocumentNode.Member] {
        var members: [DocumentNode.Member] = []
        for (key, value) in mapping {
            let position = SourcePosition(key.mark)
            guard case .scalar(let scalar) = key else {
                throw DocumentSyntaxError(position: position, message: "a name must be text")
            }
            let value = try convert(value, depth: depth + 1)
            members.append(.init(key: scalar.string, keyPosition: position, value: value))
        }
        return members
    }

    private static func content(of scalar: Node.Scalar) -> DocumentNode.Content {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
        switch text {
        case "", "~", "null", "Null", "NULL": return .null
        case "true", "True", "TRUE": return .bool(true)
        case "false", "False", "FALSE": return .bool(false)
        default: break
        }
        guard let first = text.utf8.first, "+-.0123456789".utf8.contains(first) else {
            return .string(text)
        }
        if text.wholeMatch(of: /[-+]?[0-9]+/) != nil, let integer = Int(text) {
            return .integer(integer)
        }
        if text.wholeMatch(of: /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?/) != nil,
            let decimal = Double(text)
        {
            return .decimal(decimal)
        }
        return .string(text)
    }
}
