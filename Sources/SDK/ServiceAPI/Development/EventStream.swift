/// One message of a stream of server-sent events (HTML Living Standard, section 9.2).
package struct EventMessage: Hashable, Sendable {
    /// The event's name.
    package var name: String
    /// The id that a reconnecting client sends to resume; empty for none.
    package var id: String
    /// The lines of data.
    package var data: String

    package init(name: String, id: String = "", data: String) {
        self.name = name
        self.id = id
        self.data = data
    }

    /// The transmitted bytes.
    package var bytes: [UInt8] {
        let lines = data.split(separator: "\n", omittingEmptySubsequences: false)
        let mark = id.isEmpty ? "" : "id: \(id)\n"
        return Array("event: \(name)\n\(mark)\(lines.map { "data: \($0)\n" }.joined())\n".utf8)
    }

    /// A comment that prevents the timeout of a silent connection.
    package static let heartbeat = Array(": \n\n".utf8)
}

/// An incremental parser of server-sent events; bytes may arrive in any chunks.
///
/// Lines end with LF or CRLF. The field `retry` and comments are skipped, and so is a message above the maximum size.
package struct EventStreamParser: Sendable {
    /// The maximum size of a message, in bytes.
    package static let messageBytesMax = 1 << 20

    private var line: [UInt8] = []
    private var name = ""
    private var id = ""
    private var data: [String] = []
    private var messageBytes = 0

    package init() {}

    /// Appends bytes and returns the messages that they complete.
    package mutating func append(_ bytes: some Sequence<UInt8>) -> [EventMessage] {
        var messages: [EventMessage] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                messageBytes += 1
                if messageBytes <= Self.messageBytesMax { line.append(byte) }
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if let message = endLine() { messages.append(message) }
            line.removeAll(keepingCapacity: true)
        }
        return messages
    }

    private mutating func endLine() -> EventMessage? {
        guard line.isEmpty else {
            let text = String(decoding: line, as: UTF8.self)
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? parts[1] : ""
            if value.hasPrefix(" ") { value.removeFirst() }
            switch parts[0] {
            case "event": name = String(value)
            case "id": if !value.utf8.contains(0) { id = String(value) }
            case "data": data.append(String(value))
            default: break
            }
            return nil
        }
        // The id stays until another one comes, as the standard says.
        defer { (name, data, messageBytes) = ("", [], 0) }
        guard !data.isEmpty, messageBytes <= Self.messageBytesMax else { return nil }
        return EventMessage(name: name, id: id, data: data.joined(separator: "\n"))
    }
}
