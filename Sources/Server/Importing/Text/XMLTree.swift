import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An element of an XML document, without regard to namespaces.
final class XMLElement {
    /// The name without its prefix.
    let name: String
    /// The attributes, by names without prefixes.
    let attributes: [String: String]
    /// The line on which it starts, from 1.
    let line: Int
    fileprivate(set) var content: [Content] = []

    /// A child of an element: an element or text.
    enum Content {
        case text(String)
        case element(XMLElement)
    }

    fileprivate init(_ name: String, _ attributes: [String: String], line: Int) {
        self.name = name
        self.attributes = attributes
        self.line = line
    }

    /// The child elements.
    var children: [XMLElement] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// Returns the first child element of a name.
    func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// Returns all descendants of a name, at any depth, in order.
    func all(_ name: String) -> [XMLElement] {
        children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }

    /// The text of this element and its descendants.
    var text: String {
        content.map { part in
            switch part {
            case .text(let text): text
            case .element(let element): element.text
            }
        }.joined()
    }

    /// The text without white space around it.
    var trimmedText: String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// The text for a gap that a learner fills.
    static let gapText = "_____"

    /// Returns the content of this element as HTML, without elements that `isOmitted` selects;
    /// `gap` becomes `gapText`.
    func markup(
        gap: XMLElement? = nil, omitting isOmitted: (XMLElement) -> Bool = { _ in false }
    ) -> String {
        content.map { part in
            switch part {
            case .text(let text): return Self.escaped(text)
            case .element(let element):
                if element === gap { return Self.gapText }
                guard !isOmitted(element) else { return "" }
                let attributes = element.attributes.sorted { $0.key < $1.key }
                    .map { " \($0.key)=\"\(Self.escaped($0.value))\"" }.joined()
                return "<\(element.name)\(attributes)>"
                    + element.markup(gap: gap, omitting: isOmitted) + "</\(element.name)>"
            }
        }.joined()
    }

    /// Returns text escaped for XML and HTML, also in an attribute.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // A parser of XML would make a line feed of it.
            case "\r": result += "&#13;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns text for an attribute, whose white space a parser would make spaces of.
    static func escaped(attribute text: String) -> String {
        escaped(text).replacing("\n", with: "&#10;").replacing("\t", with: "&#9;")
    }
}

/// A parser of XML into a tree by Foundation, within limits.
///
/// External entities are never resolved and a document that declares entities of its own is
/// rejected, so nothing outside is read and nothing multiplies.
final class XMLTree: NSObject, XMLParserDelegate {
    /// The deepest nesting.
    static let depthMax = 200
    /// The most elements.
    static let elementsMax = 2_000_000

    private var stack: [XMLElement] = []
    private var root: XMLElement?
    private var elementCount = 0
    private var refusal: String?

    /// Returns the root of a document, and its encoding.
    ///
    /// - Throws: `ImportError` with the line of the failure.
    static func parse(
        _ bytes: [UInt8], file: String
    ) throws(ImportError) -> (root: XMLElement, encoding: String) {
        let decoded = try DecodedText(xml: bytes, file: file)
        let plain = try PlainXML(decoded.text, file: file)
        let tree = XMLTree()
        // Always valid UTF-8: Foundation's parser on Linux ends the process at a broken name.
        let parser = XMLParser(data: Data(plain.bytes))
        parser.delegate = tree
        parser.shouldProcessNamespaces = false
        parser.shouldResolveExternalEntities = false
        let isWhole = parser.parse()
        if let refusal = tree.refusal { throw ImportError(file, .limit, refusal) }
        guard isWhole, let root = tree.root, tree.stack.isEmpty else {
            throw ImportError(file, .syntax, "is not well-formed XML at line \(parser.lineNumber)")
        }
        return (root, decoded.encoding)
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        elementCount += 1
        guard stack.count < Self.depthMax, elementCount <= Self.elementsMax else {
            refusal = "is nested too deeply or has too many elements"
            return parser.abortParsing()
        }
        let element = XMLElement(
            Self.local(name),
            Dictionary(
                attributes.map { (Self.local($0.key), $0.value) }, uniquingKeysWith: { $1 }),
            line: max(1, parser.lineNumber))
        stack.last?.content.append(.element(element))
        if stack.isEmpty { root = element }
        stack.append(element)
    }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        _ = stack.popLast()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        stack.last?.content.append(.text(text))
    }

    private static func local(_ name: String) -> String {
        name.split(separator: ":").last.map(String.init) ?? name
    }
}
