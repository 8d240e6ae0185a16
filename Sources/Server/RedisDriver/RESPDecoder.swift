import NIOCore

/// Reads replies from bytes as they arrive.
///
/// An incomplete reply is `nil`, a malformed one or one beyond the limits throws. Nothing is allocated by a length that is
/// claimed, only by bytes that are there.
struct RESPDecoder {
    private let limits: RedisLimits
    private var elements = 0

    init(_ limits: RedisLimits) { self.limits = limits }

    /// Reads the next reply, and moves the buffer behind it.
    ///
    /// - Throws: `RedisError` `protocolViolation`.
    mutating func next(_ buffer: inout ByteBuffer) throws(RedisError) -> RESPValue? {
        var rest = buffer
        elements = 0
        guard let value = try value(&rest, depth: 1) else {
            guard buffer.readableBytes <= limits.replyBytesMax else { throw Self.tooLarge }
            return nil
        }
        buffer = rest
        return value
    }

    private static let tooLarge = RedisError(
        .protocolViolation, "A reply exceeds the limits of this client.")
    private static let malformed = RedisError(
        .protocolViolation, "The peer does not speak RESP3. Is it Redis 6 or later?")

    private mutating func value(
        _ buffer: inout ByteBuffer, depth: Int
    ) throws(RedisError) -> RESPValue? {
        guard depth <= limits.depthMax else { throw Self.tooLarge }
        guard let kind = buffer.getInteger(at: buffer.readerIndex, as: UInt8.self) else {
            return nil
        }
        guard let line = try line(&buffer) else { return nil }
        switch kind {
        case UInt8(ascii: "+"): return .status(line)
        case UInt8(ascii: "-"): return .error(line)
        case UInt8(ascii: ":"): return .integer(try number(line))
        case UInt8(ascii: ","): return .double(try double(line))
        case UInt8(ascii: "("): return .status(line)
        case UInt8(ascii: "#"):
            guard line == "t" || line == "f" else { throw Self.malformed }
            return .boolean(line == "t")
        case UInt8(ascii: "_"):
            guard line.isEmpty else { throw Self.malformed }
            return .null
        case UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "!"):
            return try text(&buffer, kind, line)
        case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: ">"):
            return try list(&buffer, kind, line, depth)
        default: throw Self.malformed
        }
    }

    /// Reads from behind the kind through the end of the line.
    private func line(_ buffer: inout ByteBuffer) throws(RedisError) -> String? {
        let view = buffer.readableBytesView
        guard let end = view.firstIndex(of: UInt8(ascii: "\n")) else {
            guard view.count <= 64 * 1024 else { throw Self.tooLarge }
            return nil
        }
        guard end > view.startIndex + 1, view[end - 1] == UInt8(ascii: "\r") else {
            throw Self.malformed
        }
        let text = String(decoding: view[view.startIndex + 1..<end - 1], as: UTF8.self)
        buffer.moveReaderIndex(to: end + 1)
        return text
    }

    private func number(_ line: String) throws(RedisError) -> Int64 {
        guard let value = Int64(line) else { throw Self.malformed }
        return value
    }

    private func double(_ line: String) throws(RedisError) -> Double {
        // The protocol spells them inf, -inf and nan, which Swift reads too.
        guard let value = Double(line) else { throw Self.malformed }
        return value
    }

    private func text(
        _ buffer: inout ByteBuffer, _ kind: UInt8, _ line: String
    ) throws(RedisError) -> RESPValue? {
        let count = try number(line)
        if kind == UInt8(ascii: "$"), count == -1 { return .null }
        guard count >= 0 else { throw Self.malformed }
        guard count <= limits.textBytesMax else { throw Self.tooLarge }
        guard buffer.readableBytes >= Int(count) + 2 else { return nil }
        let bytes = buffer.readBytes(length: Int(count)) ?? []
        guard buffer.readInteger(as: UInt16.self) == 0x0D0A else { throw Self.malformed }
        switch kind {
        case UInt8(ascii: "!"): return .error(String(decoding: bytes, as: UTF8.self))
        // A text with its format before a colon, as `txt:`.
        case UInt8(ascii: "="): return .bytes(Array(bytes.dropFirst(4)))
        default: return .bytes(bytes)
        }
    }

    private mutating func list(
        _ buffer: inout ByteBuffer, _ kind: UInt8, _ line: String, _ depth: Int
    ) throws(RedisError) -> RESPValue? {
        let claimed = try number(line)
        if kind == UInt8(ascii: "*"), claimed == -1 { return .null }
        guard claimed >= 0 else { throw Self.malformed }
        let isMap = kind == UInt8(ascii: "%")
        guard claimed <= limits.elementsMax else { throw Self.tooLarge }
        let count = Int(claimed) * (isMap ? 2 : 1)
        elements += count
        guard elements <= limits.elementsMax else { throw Self.tooLarge }
        var values: [RESPValue] = []
        for _ in 0..<count {
            guard let value = try value(&buffer, depth: depth + 1) else { return nil }
            values.append(value)
        }
        switch kind {
        case UInt8(ascii: ">"): return .push(values)
        case UInt8(ascii: "%"): return .map(values)
        default: return .array(values)
        }
    }
}
