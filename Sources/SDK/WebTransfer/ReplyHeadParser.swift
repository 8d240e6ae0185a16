/// A parser of a reply's head, line by line.
///
/// Interim heads (status 100 to 199) are skipped.
struct ReplyHeadParser {
    private var status: Int?
    private var headers: [String: String] = [:]
    private var lastName: String?
    private var byteCount = 0
    private(set) var head: TransferHead?

    /// Parses a line with its end.
    ///
    /// - Returns: The head when this line ended it.
    /// - Throws: `TransferError` when it is no valid head, or too long.
    mutating func parse(_ line: [UInt8]) throws(TransferError) -> TransferHead? {
        // Trailer fields, which chunked replies may have, are not used.
        guard head == nil else { return nil }
        byteCount += line.count
        guard byteCount <= TransferLimits.headBytesMax else {
            throw TransferError(
                .tooLong,
                "The head of the reply is longer than \(TransferLimits.headBytesMax) bytes.")
        }
        var text = line[...]
        while text.last == 0x0A || text.last == 0x0D { text.removeLast() }
        guard let status else {
            self.status = try Self.status(text)
            return nil
        }
        guard text.isEmpty else {
            parseField(text)
            return nil
        }
        guard status >= 200 else {
            self = ReplyHeadParser(byteCount: byteCount)
            return nil
        }
        let head = TransferHead(status: status, headers: headers)
        self.head = head
        return head
    }

    init() {}

    private init(byteCount: Int) { self.byteCount = byteCount }

    /// Parses a line such as `HTTP/1.1 200 OK`.
    private static func status(_ line: ArraySlice<UInt8>) throws(TransferError) -> Int {
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), parts[1].utf8.count == 3,
            let status = Int(parts[1]), (100...599).contains(status), status != 101
        else { throw TransferError(.offline, "The reply is not HTTP.") }
        return status
    }

    private mutating func parseField(_ line: ArraySlice<UInt8>) {
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix(" ") || text.hasPrefix("\t") {
            // A folded line (RFC 9112, section 5.2).
            if let lastName { headers[lastName, default: ""] += " " + text.trimmed }
            return
        }
        // A line that is no field is ignored.
        guard let colon = text.firstIndex(of: ":") else { return }
        let name = text[..<colon].lowercased()
        let value = text[text.index(after: colon)...].trimmed
        headers[name] = headers[name].map { $0 + ", " + value } ?? value
        lastName = name
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
