import ContentModel
import Yams

/// A guard against YAML that is short in its file but huge in memory, before its aliases are
/// expanded.
///
/// Yams puts the whole node of an anchor in the place of each alias, and hashes each key. So the
/// text is first composed with text in the places of its aliases, and that tree gives the cost of
/// the real one.
struct YAMLExpansion {
    /// The most bytes of text in a file after expansion of its aliases.
    static let textBytesMax = 64 << 20

    /// The replacement of an alias's asterisk: a character that is only ever text.
    private static let marker: Character = "\u{E000}"

    private struct Size {
        var nodes = 1
        var textBytes = 0
        var depth = 0
        var isText = false
    }

    private var anchors: [String: Size] = [:]

    /// Checks a text in UTF-8.
    ///
    /// - Throws: `DocumentSyntaxError` with the place of the excessive value.
    static func check(_ text: String, _ bytes: [UInt8]) throws(DocumentSyntaxError) {
        try YAMLMarkedKeys.check(bytes)
        guard let masked = masked(bytes) else { return }
        _ = try compose(masked) { root in
            var expansion = YAMLExpansion()
            return try expansion.size(of: root)
        }
    }

    /// Returns the text with a character in place of the asterisk of each alias; `nil` without
    /// aliases.
    static func masked(_ bytes: [UInt8]) -> String? { YAMLScan.masked(bytes, marker: marker) }

    /// Composes a text without aliases and passes its tree to a function.
    ///
    /// - Returns: The function's result; `nil` when the text is empty.
    /// - Throws: `DocumentSyntaxError`.
    static func compose<Result>(
        _ text: String, _ body: (Node) throws -> Result?
    ) throws(DocumentSyntaxError) -> Result? {
        do {
            let parser = try Yams.Parser(yaml: text)
            guard let root = try parser.singleRoot() else { return nil }
            // Nodes refer to their anchors weakly; the parser owns them.
            return try withExtendedLifetime(parser) { try body(root) }
        } catch let error as YamlError {
            var error = SourceDocument.syntaxError(error, text: text)
            error.message.replace(String(marker), with: "*")
            throw error
        } catch let error as DocumentSyntaxError {
            throw error
        } catch {
            throw DocumentSyntaxError(position: .start, message: "\(error)")
        }
    }

    /// Returns the expanded size of a node, in the order in which Yams registers anchors: a node
    /// after all its content.
    private mutating func size(of node: Node) throws -> Size {
        var size = Size()
        switch node {
        case .scalar(let scalar): size = try self.size(of: scalar)
        case .sequence(let elements):
            for element in elements { add(try self.size(of: element), to: &size) }
        case .mapping(let pairs):
            for (key, value) in pairs {
                let name = try self.size(of: key)
                guard name.isText else {
                    throw DocumentSyntaxError(
                        position: SourcePosition(key.mark), message: "a name must be text")
                }
                add(name, to: &size)
                add(try self.size(of: value), to: &size)
            }
        case .alias: break
        }
        guard size.nodes <= SourceDocument.nodesMax, size.textBytes <= Self.textBytesMax,
            size.depth <= JSONParser.depthMax
        else {
            throw DocumentSyntaxError(
                position: SourcePosition(node.mark),
                message: "the file is too large or nests too deep once its aliases are expanded")
        }
        if let anchor = node.anchor { anchors[anchor.rawValue] = size }
        return size
    }

    private func add(_ part: Size, to size: inout Size) {
        size.nodes += part.nodes
        size.textBytes += part.textBytes
        size.depth = max(size.depth, part.depth + 1)
    }

    private func size(of scalar: Node.Scalar) throws -> Size {
        let text = scalar.string
        guard scalar.style == .plain, text.first == Self.marker else {
            return Size(textBytes: text.utf8.count, isText: true)
        }
        // A later anchor does not exist yet; Yams reports that.
        if let size = anchors[String(text.dropFirst())] { return size }
        guard text.dropFirst().utf8.allSatisfy(YAMLScan.isNameByte) else {
            throw DocumentSyntaxError(
                position: SourcePosition(scalar.mark),
                message: "an alias must stand alone; write a space or a line break after its name")
        }
        return Size(isText: true)
    }
}
