import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// The elements of a well-formed drawing, in their order.
struct ChartElements {
    struct Element {
        var name: String
        var attributes: [String: String]
        var text = ""

        /// An attribute as a number, without its percent sign.
        func number(_ attribute: String) -> Double? {
            attributes[attribute].flatMap {
                Double($0.hasSuffix("%") ? String($0.dropLast()) : $0)
            }
        }
    }

    static let known: Set = [
        "svg", "title", "line", "rect", "circle", "text", "path", "div", "span", "table",
        "caption", "thead", "tbody", "tr", "th", "td",
    ]

    struct NotWellFormed: Error {
        var markup: String
    }

    let all: [Element]

    init(_ markup: String) throws {
        let parser = XMLParser(data: Data(markup.utf8))
        let reader = Reader()
        parser.delegate = reader
        guard parser.parse() else { throw NotWellFormed(markup: markup) }
        all = reader.elements
    }

    func named(_ name: String) -> [Element] { all.filter { $0.name == name } }

    func ofClass(_ name: String) -> [Element] {
        all.filter { $0.attributes["class"]?.split(separator: " ").contains(name[...]) ?? false }
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [Element] = []
        var open: [Int] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            open.append(elements.count)
            elements.append(Element(name: name, attributes: attributes))
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
            qualifiedName: String?
        ) {
            open.removeLast()
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if let last = open.last { elements[last].text += text }
        }
    }
}
