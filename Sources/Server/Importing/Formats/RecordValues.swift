import ContentModel
import Foundation

/// The coding of a file's values, decided by all of its questions at once.
struct RecordValues {
    let form: ValueForm
    /// True when the user named a coding that no value has.
    private(set) var isUnfit = false
    /// The fields whose values are all coded.
    private let fields: Set<String>

    /// Decides for a file.
    ///
    /// Base64 if every question decodes to text and one has a space then; percent if no question has a space and one
    /// has `%20`.
    ///
    /// - Parameters:
    ///   - records: Its records.
    ///   - settings: The user's names of fields, and the coding that the user named.
    init(_ records: [RawRecord], _ settings: ImportSettings) {
        let names = settings.mapping["stem"].map { [$0] } ?? MappedRecord.synonyms["stem"] ?? []
        let stems = records.compactMap { record -> String? in
            for name in names {
                if case .string(let text)? = record.fields[name], !text.isEmpty { return text }
            }
            return nil
        }
        form = settings.values ?? Self.form(of: stems)
        guard form == .base64 else {
            fields = []
            isUnfit = form == .percent && !stems.contains { $0.contains("%") }
            return
        }
        var coded: Set<String> = []
        var plain: Set<String> = []
        for record in records {
            for (name, value) in record.fields where !plain.contains(name) {
                coded.insert(name)
                if !Self.strings(value).allSatisfy({ Self.base64($0) != nil }) {
                    plain.insert(name)
                }
            }
        }
        fields = coded.subtracting(plain)
        isUnfit = names.allSatisfy { !fields.contains($0) }
    }

    private static func form(of stems: [String]) -> ValueForm {
        guard let first = stems.first else { return .asTyped }
        if base64(first) != nil {
            let decoded = stems.map(base64)
            if !decoded.contains(nil), decoded.contains(where: { $0?.contains(" ") == true }) {
                return .base64
            }
        }
        let hasSpace = stems.contains { $0.contains(where: \.isWhitespace) }
        return !hasSpace && stems.contains { $0.contains("%20") } ? .percent : .asTyped
    }

    /// Returns a record with its values decoded.
    func decoded(_ record: RawRecord) -> RawRecord {
        guard form != .asTyped else { return record }
        var record = record
        record.fields = Dictionary(
            uniqueKeysWithValues: record.fields.map { name, value in
                let isCoded = form == .percent || fields.contains(name)
                return (name, isCoded ? decoded(value) : value)
            })
        return record
    }

    private func decoded(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text):
            let plain = form == .base64 ? Self.base64(text) : text.removingPercentEncoding
            return .string(plain ?? text)
        case .array(let values): return .array(values.map(decoded))
        case .object(let members): return .object(members.mapValues(decoded))
        default: return value
        }
    }

    private static func strings(_ value: JSONValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let values): values.flatMap(strings)
        case .object(let members): members.values.flatMap(strings)
        default: []
        }
    }

    /// Returns the text in UTF-8 that base64 gives; `nil` for other texts.
    private static func base64(_ text: String) -> String? {
        guard text.utf8.count % 4 == 0, !text.utf8.contains(UInt8(ascii: " ")),
            let data = Data(base64Encoded: text),
            let decoded = String(data: data, encoding: .utf8),
            !decoded.unicodeScalars.contains(where: { $0.value < 0x20 && $0.value != 0x0A })
        else { return nil }
        return decoded
    }
}

extension DecimalSign {
    /// Decides for the numbers of a file: a comma, if some number has one and none a point.
    init(deciding numbers: some Sequence<String>) {
        var hasComma = false
        for number in numbers {
            if number.wholeMatch(of: Pattern.pointNumber) != nil {
                self = .point
                return
            }
            if number.wholeMatch(of: Pattern.commaNumber) != nil { hasComma = true }
        }
        self = hasComma ? .comma : .point
    }
}
