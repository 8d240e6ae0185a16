import Tracing

extension SpanJSON {
    /// Writes an object `AnyValue`; an empty one, which means no value, for a kind that is unknown.
    static func value(_ value: SpanAttribute, to json: inout JSONText) {
        switch value {
        case .int32(let number): integer(Int64(number), to: &json)
        case .int64(let number): integer(number, to: &json)
        case .double(let number): double(number, to: &json)
        case .bool(let isTrue): bool(isTrue, to: &json)
        case .string(let text): string(text, to: &json)
        case .int32Array(let numbers): array(numbers, to: &json) { integer(Int64($1), to: &$0) }
        case .int64Array(let numbers): array(numbers, to: &json) { integer($1, to: &$0) }
        case .doubleArray(let numbers): array(numbers, to: &json) { double($1, to: &$0) }
        case .boolArray(let values): array(values, to: &json) { bool($1, to: &$0) }
        case .stringArray(let texts): array(texts, to: &json) { string($1, to: &$0) }
        default: json.object { _ in }
        }
    }

    private static func array<Element>(
        _ elements: [Element], to json: inout JSONText,
        _ write: (inout JSONText, Element) -> Void
    ) {
        member("arrayValue", of: &json) { json in
            json.object { json in
                json.name("values")
                json.array(elements, write)
            }
        }
    }

    private static func integer(_ number: Int64, to json: inout JSONText) {
        member("intValue", of: &json) { $0.string(String(number)) }
    }

    /// Writes a number; one that JSON lacks is a string, by the JSON mapping of Protocol Buffers.
    private static func double(_ number: Double, to json: inout JSONText) {
        member("doubleValue", of: &json) { json in
            switch number {
            case .infinity: json.string("Infinity")
            case -.infinity: json.string("-Infinity")
            case _ where number.isNaN: json.string("NaN")
            default: json.literal(String(number))
            }
        }
    }

    private static func bool(_ isTrue: Bool, to json: inout JSONText) {
        member("boolValue", of: &json) { $0.literal(isTrue ? "true" : "false") }
    }

    private static func string(_ text: String, to json: inout JSONText) {
        member("stringValue", of: &json) { $0.string(text) }
    }

    private static func member(
        _ name: String, of json: inout JSONText, _ write: (inout JSONText) -> Void
    ) {
        json.object { json in
            json.name(name)
            write(&json)
        }
    }
}
