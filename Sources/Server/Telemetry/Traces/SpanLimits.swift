import Tracing

/// The limits of what one span holds, which bound it whatever its program sets.
enum SpanLimits {
    static let attributesMax = 32
    static let eventsMax = 16
    static let linksMax = 8
    /// The most attributes of an event or link.
    static let detailAttributesMax = 8
    /// The most bytes of an attribute's name; one with a longer or empty name is dropped.
    static let nameBytesMax = 256
    /// The most bytes of a text, and of all texts of an array together.
    static let textBytesMax = 1_024
    /// The most elements of an array.
    static let elementsMax = 64

    /// Returns a text, cut behind the last character that fits.
    static func cut(_ text: String, bytesMax: Int = textBytesMax) -> String {
        guard text.utf8.count > bytesMax else { return text }
        var (end, bytes) = (text.startIndex, 0)
        while end < text.endIndex {
            bytes += text[end].utf8.count
            guard bytes <= bytesMax else { break }
            end = text.index(after: end)
        }
        return String(text[..<end])
    }

    /// Returns a value within the limits, in which every text is a plain one; `nil` for a kind that is unknown.
    static func cut(_ value: SpanAttribute) -> SpanAttribute? {
        switch value {
        case .int32, .int64, .double, .bool: value
        case .string(let text): .string(cut(text))
        case .stringConvertible(let source): .string(cut(source.description))
        case .int32Array(let values): .int32Array(Array(values.prefix(elementsMax)))
        case .int64Array(let values): .int64Array(Array(values.prefix(elementsMax)))
        case .doubleArray(let values): .doubleArray(Array(values.prefix(elementsMax)))
        case .boolArray(let values): .boolArray(Array(values.prefix(elementsMax)))
        case .stringArray(let texts): .stringArray(cut(texts))
        case .stringConvertibleArray(let sources):
            .stringArray(cut(sources.prefix(elementsMax).map(\.description)))
        default: nil
        }
    }

    private static func cut(_ texts: [String]) -> [String] {
        var bytesLeft = textBytesMax
        var result: [String] = []
        for text in texts.prefix(elementsMax) where bytesLeft > 0 {
            result.append(cut(text, bytesMax: bytesLeft))
            bytesLeft -= text.utf8.count
        }
        return result
    }
}

/// Attributes of which each is within the limits, however many there are.
struct CutAttributes: Sendable {
    private(set) var values: [String: SpanAttribute] = [:]
    private(set) var droppedCount = 0

    /// Cuts each value.
    ///
    /// Runs `description` of the values' types, so not for a place inside of a lock.
    init(_ attributes: SpanAttributes) {
        attributes.forEach { name, value in
            if (1...SpanLimits.nameBytesMax).contains(name.utf8.count),
                let value = SpanLimits.cut(value)
            {
                values[name] = value
            } else {
                droppedCount += 1
            }
        }
    }
}

/// At most a number of attributes, and a count of those that found no place.
struct BoundedAttributes: Sendable, Equatable {
    let countMax: Int
    private(set) var values: [String: SpanAttribute] = [:]
    private(set) var droppedCount = 0

    init(countMax: Int) { self.countMax = countMax }

    init(countMax: Int, _ attributes: SpanAttributes) {
        self.init(countMax: countMax)
        replace(with: CutAttributes(attributes))
    }

    /// Replaces all attributes.
    ///
    /// Names that were there before come first, then the others in the order of their names.
    mutating func replace(with new: CutAttributes) {
        droppedCount += new.droppedCount
        guard new.values.count > countMax else { return values = new.values }
        let names = new.values.keys.sorted {
            (values[$0] == nil ? 1 : 0, $0) < (values[$1] == nil ? 1 : 0, $1)
        }
        droppedCount += names.count - countMax
        values = new.values.filter { names.prefix(countMax).contains($0.key) }
    }
}
