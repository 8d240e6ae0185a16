/// The text format of COPY: fields end with a tab, rows with a line feed, and `\N` is NULL.
///
/// ```swift
/// try connection.copyOut("COPY name (number, text) TO STDOUT") { row in
///     print(CopyText.fields(of: row))  // [Optional("1"), Optional("Zürich")]
/// }
/// ```
public enum CopyText {
    static func append(_ row: [String?], to bytes: inout [UInt8]) {
        for (index, field) in row.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\t")) }
            guard let field else {
                bytes += [UInt8(ascii: "\\"), UInt8(ascii: "N")]
                continue
            }
            for byte in field.utf8 {
                if let letter = letters[byte] {
                    bytes += [UInt8(ascii: "\\"), letter]
                } else {
                    bytes.append(byte)
                }
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Splits a row of the text format; `nil` is NULL.
    public static func fields(of row: [UInt8]) -> [String?] {
        let line = row.last == UInt8(ascii: "\n") ? row.dropLast() : row[...]
        return line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            .map(field)
    }

    private static func field(_ bytes: ArraySlice<UInt8>) -> String? {
        if bytes.elementsEqual("\\N".utf8) { return nil }
        var text: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let letter = rest.popFirst() else {
                text.append(byte)
                continue
            }
            text.append(meanings[letter] ?? letter)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let letters: [UInt8: UInt8] = [
        0x5C: 0x5C, 0x08: UInt8(ascii: "b"), 0x09: UInt8(ascii: "t"), 0x0A: UInt8(ascii: "n"),
        0x0B: UInt8(ascii: "v"), 0x0C: UInt8(ascii: "f"), 0x0D: UInt8(ascii: "r"),
    ]
    private static let meanings = Dictionary(uniqueKeysWithValues: letters.map { ($1, $0) })
}
