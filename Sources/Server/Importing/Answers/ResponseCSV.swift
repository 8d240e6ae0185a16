import Foundation
import Publishing

/// A table with a header, row by row; a mistake is refused with its line.
struct ResponseCSV {
    /// The name of the file, for messages.
    let path: String
    /// The names of the columns, in lower case.
    let names: [String]
    private var scanner: CSVScanner

    /// A row by the names of its columns.
    struct Row {
        /// The file and the line.
        let place: String
        fileprivate let fields: [[UInt8]]

        /// Returns the value of a column; empty without the column.
        func text(_ column: Int?) -> String {
            column.map { String(decoding: fields[$0], as: UTF8.self) } ?? ""
        }

        /// Returns the parts of a value between spaces or bars.
        func parts(_ column: Int) -> [String] {
            fields[column].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "|") }
                .map { String(decoding: $0, as: UTF8.self) }
        }

        /// Returns the value of a column as another type; `nil` for an empty one.
        ///
        /// - Throws: `PublishingError` `unreadable` for a value that is none.
        func value<Value>(
            _ column: Int?, _ name: String, _ kind: String, _ read: (String) -> Value?
        ) throws -> Value? {
            let text = text(column)
            guard !text.isEmpty else { return nil }
            guard let value = read(text) else {
                throw PublishingError.unreadable("\(place): \(name) is \"\(text)\", not \(kind).")
            }
            return value
        }
    }

    /// Reads the header.
    ///
    /// - Throws: `PublishingError` `unreadable` for bytes that are no text, and for two columns of one name.
    init(_ bytes: [UInt8], file path: String) throws {
        let bytes = try Self.text(bytes, path)
        self.path = path
        let head = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        scanner = CSVScanner(bytes, separator: CSVTable.separator(of: head[...]))
        names = (scanner.next()?.fields ?? []).map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces).lowercased()
        }
        var seen: Set<String> = []
        for name in names where !name.isEmpty && !seen.insert(name).inserted {
            throw PublishingError.unreadable("\(path) has two columns \(name).")
        }
    }

    /// Returns the index of the first of some names, without regard to spaces, hyphens and underscores.
    func column(_ candidates: String...) -> Int? {
        let bare = names.map { $0.filter { !" _-".contains($0) } }
        return candidates.lazy.compactMap { bare.firstIndex(of: $0) }.first
    }

    /// Returns the next row; `nil` at the end.
    ///
    /// - Throws: `PublishingError` `unreadable` for a row of another length than the header, and for an open quote.
    mutating func next() throws -> Row? {
        while let (line, fields) = scanner.next() {
            if let line = scanner.openQuoteLine {
                throw PublishingError.unreadable("\(path):\(line): a quote never ends.")
            }
            if fields.count == 1, fields[0].isEmpty { continue }
            guard fields.count >= names.count, fields[names.count...].allSatisfy(\.isEmpty) else {
                throw PublishingError.unreadable(
                    "\(path):\(line): the row has \(fields.count) fields, the header \(names.count)."
                )
            }
            return Row(place: "\(path):\(line)", fields: fields)
        }
        return nil
    }

    private static func text(_ bytes: [UInt8], _ path: String) throws -> [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let isUTF8 = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
        if isUTF8 { return bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes }
        do throws(ImportError) {
            let text = try DecodedText(bytes, file: path).text
            // A damaged question is refused; a damaged answer would be counted as another.
            guard !text.contains("\u{FFFD}") else {
                throw ImportError(path, .encoding, DecodedText.reason(bytes))
            }
            return Array(text.utf8)
        } catch {
            throw PublishingError.unreadable("\(path) \(error.reason).")
        }
    }
}
