/// A table of comma-separated values (RFC 4180), with the line of each row.
///
/// Not a package: importing needs the line of each row for its ledger, and analysis reads millions
/// of rows.
package struct CSVTable {
    /// The names of the columns, from the first row.
    private(set) var header: [String] = []
    /// The line of the first row.
    private var headerLine = 1
    /// The rows; short ones are not padded.
    private(set) var rows: [(line: Int, fields: [String])] = []

    /// The separator between fields.
    private(set) var separator: Character = ","

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - text: The table.
    ///   - file: The file, for messages.
    ///   - rowsMax: The most rows.
    ///   - given: The separator; `nil` for the one that the table shows: see ``CSVWidths``.
    /// - Throws: `ImportError` for a quote that is not closed, or too many rows.
    init(
        _ text: String, file: String, rowsMax: Int = 1_000_000, separator given: UInt8? = nil
    ) throws(ImportError) {
        let bytes = Array(text.utf8)
        let named = Self.namedSeparator(text.prefix { $0 != "\n" })
        let chosen = given ?? named ?? CSVWidths.separator(of: bytes)
        separator = Character(UnicodeScalar(chosen))
        var scanner = CSVScanner(bytes, separator: chosen)
        if named != nil { _ = scanner.next() }
        while let row = scanner.next() {
            guard scanner.openQuoteLine == nil else {
                throw ImportError(
                    file, .syntax,
                    "has a quote on line \(scanner.openQuoteLine ?? 0) that never ends")
            }
            let fields = row.fields.map { String(decoding: $0, as: UTF8.self) }
            if fields.allSatisfy({ $0.trimmed.isEmpty }) { continue }
            if header.isEmpty {
                header = fields.map(\.trimmed)
                headerLine = row.line
            } else {
                rows.append((row.line, fields))
                guard rows.count <= rowsMax else {
                    throw ImportError(file, .limit, "has more than \(rowsMax) rows")
                }
            }
        }
    }

    /// Makes the first row a row like the others, under other names.
    mutating func setHeader(_ names: [String]) {
        rows.insert((headerLine, header), at: 0)
        header = names
    }

    /// Returns the separator that Excel reads from a line `sep=;` above the header.
    private static func namedSeparator(_ line: Substring) -> UInt8? {
        let bare = line.filter { $0 != "\"" }.trimmed
        guard bare.utf8.count == 5, bare.lowercased().hasPrefix("sep=") else { return nil }
        return bare.utf8.last
    }

    /// Returns the most frequent of `,`, `;` and tab in a line.
    package static func separator(of line: Substring) -> UInt8 {
        let candidates: [Character] = [",", ";", "\t"]
        let best = candidates.max { left, right in
            line.count { $0 == left } < line.count { $0 == right }
        }
        return best?.asciiValue ?? UInt8(ascii: ",")
    }
}

/// A scanner that splits bytes into rows and fields.
package struct CSVScanner {
    private let bytes: [UInt8]
    private let separator: UInt8
    private var position = 0
    private var line = 1
    /// The line of an unclosed quote; `nil` for none.
    package private(set) var openQuoteLine: Int?

    /// Creates a scanner at the first row.
    package init(_ bytes: [UInt8], separator: UInt8 = UInt8(ascii: ",")) {
        self.bytes = bytes
        self.separator = separator
    }

    /// Returns the next row; `nil` at the end.
    package mutating func next() -> (line: Int, fields: [[UInt8]])? {
        guard position < bytes.count else { return nil }
        let start = line
        var fields: [[UInt8]] = []
        while true {
            fields.append(field())
            guard position < bytes.count else { return (start, fields) }
            let mark = bytes[position]
            position += 1
            if mark == UInt8(ascii: "\n") {
                line += 1
                return (start, fields)
            }
        }
    }

    /// Returns a field up to the separator or the line's end, which is not consumed.
    private mutating func field() -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        var result: [UInt8] = []
        if position < bytes.count, bytes[position] == quote {
            let start = line
            position += 1
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                if byte == quote {
                    guard position < bytes.count, bytes[position] == quote else {
                        return result + plainField()
                    }
                    position += 1
                }
                if byte == UInt8(ascii: "\n") { line += 1 }
                result.append(byte)
            }
            openQuoteLine = start
            return result
        }
        return plainField()
    }

    private mutating func plainField() -> [UInt8] {
        let start = position
        while position < bytes.count, bytes[position] != separator,
            bytes[position] != UInt8(ascii: "\n")
        {
            position += 1
        }
        var end = position
        if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return Array(bytes[start..<end])
    }
}
