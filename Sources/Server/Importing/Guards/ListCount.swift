import ContentModel

/// A count of the objects that stand in lists, made without the reader, so that a list that it lost is seen.
///
/// Every list of objects is read, stands inside of a record, or is named as not read.
enum ListCount {
    /// Refuses a document of which the reader lost a list, or objects of one.
    ///
    /// - Parameters:
    ///   - counts: The number of objects in each list, by its path.
    ///   - lists: The lists of which the reader says something.
    ///   - found: The number of questions that were read or refused.
    ///   - file: The file, for the message.
    /// - Throws: `ImportError` with both numbers.
    static func check(
        _ counts: [String: Int], against lists: [ImportedDrafts.List], found: Int, file: String
    ) throws(ImportError) {
        var known: [String: Int] = [:]
        for list in lists { known[list.path, default: 0] += list.objects }
        let records = Set(lists.filter(\.isRead).map { $0.path + "[]" })
        for (path, count) in counts.sorted(by: { $0.key < $1.key })
        where known[path] != count && !isInside(path, records) {
            throw ImportError(
                file, .count,
                "has \(count) entries in the list \(path), of which \(known[path] ?? 0) were read or named"
            )
        }
        let read = lists.filter(\.isRead).reduce(0) { $0 + $1.objects }
        guard read <= found else {
            throw ImportError(
                file, .count,
                "has \(read) entries in its lists of questions, of which \(found) were told apart")
        }
    }

    /// Returns whether a path leads into a record of a list.
    static func isInside(_ path: String, _ records: Set<String>) -> Bool {
        // Paths have few parts, and each record's ends where an element begins.
        var end = path.startIndex
        while let mark = path[end...].firstRange(of: "[]") {
            end = mark.upperBound
            if records.contains(String(path[..<end])) { return true }
        }
        return false
    }

    /// Counts in JSON, by brackets and quotes alone.
    ///
    /// O(bytes).
    static func json(_ text: String) -> [String: Int] {
        var scan = JSONScan(Array(text.utf8))
        return scan.counts()
    }

    /// Returns the strings of JSON that are values, with their paths, the names of their fields and their lines.
    static func strings(
        _ text: String
    ) -> [(path: String, key: String, line: Int, text: String)] {
        var scan = JSONScan(Array(text.utf8))
        scan.keepsStrings = true
        _ = scan.counts()
        return scan.strings
    }

    /// Counts in a parsed document, for formats whose lists no brackets show.
    static func document(_ root: DocumentNode) -> [String: Int] {
        var counts: [String: Int] = [:]
        func walk(_ node: DocumentNode, _ path: String) {
            switch node.content {
            case .array(let nodes):
                let count = nodes.count(where: \.isObject)
                if count > 0 { counts[path, default: 0] += count }
                for element in nodes { walk(element, path + "[]") }
            case .object(let members):
                for member in members { walk(member.value, path + "." + member.key) }
            default: break
            }
        }
        walk(root, "$")
        return counts
    }
}

/// A walk over the brackets of JSON that knows nothing of questions.
private struct JSONScan {
    /// An open bracket, and the path to its content.
    private struct Level {
        var isList: Bool
        var path: String
        var key = ""
    }

    private let bytes: [UInt8]
    private var place = 0
    private var levels: [Level] = []
    private var result: [String: Int] = [:]
    private var last = 0..<0
    /// True to collect the strings that are values.
    var keepsStrings = false
    private(set) var strings: [(path: String, key: String, line: Int, text: String)] = []
    private var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func counts() -> [String: Int] {
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "\""):
                skipString()
                if keepsStrings { keepString() }
            case UInt8(ascii: ":"):
                if let last = levels.indices.last { levels[last].key = string }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open(isList: byte == UInt8(ascii: "["))
            case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
            default: break
            }
        }
        return result
    }

    private mutating func open(isList: Bool) {
        guard let last = levels.last else {
            return levels.append(Level(isList: isList, path: "$"))
        }
        if last.isList, !isList { result[last.path, default: 0] += 1 }
        let path = last.path + (last.isList ? "[]" : "." + last.key)
        levels.append(Level(isList: isList, path: path))
    }

    /// Keeps the last string if it is no key.
    private mutating func keepString() {
        let next = bytes[place...].first { !" \t\r\n".utf8.contains($0) }
        guard next != UInt8(ascii: ":"), last.count > 10 else { return }
        let level = levels.last
        let key = level.map { $0.isList ? "" : $0.key } ?? ""
        strings.append((level?.path ?? "$", key, line, string))
    }

    private mutating func skipString() {
        let start = place
        var isEscaped = false
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                break
            }
        }
        last = start..<max(start, place - 1)
    }

    /// The last string, with its escapes resolved.
    private var string: String {
        let raw = bytes[last]
        guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
        // A key that no parser reads is compared as it is written.
        let quote = [UInt8(ascii: "\"")]
        guard let node = try? JSONParser.parse(quote + raw + quote),
            case .string(let text) = node.content
        else { return String(decoding: raw, as: UTF8.self) }
        return text
    }
}
