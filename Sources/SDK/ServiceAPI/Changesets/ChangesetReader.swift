/// A reader of the bytes of a changeset, which throws at the first invalid one.
package struct ChangesetReader: Sendable {
    private let bytes: [UInt8]
    /// The place of the next byte.
    package private(set) var position: Int
    private let end: Int

    /// Creates a reader of bytes from a place on.
    package init(_ bytes: [UInt8], from start: Int = 0) {
        self.bytes = bytes
        position = start
        end = bytes.count
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// True when all bytes were read.
    package var isAtEnd: Bool { position == end }

    /// The number of bytes that were not read yet.
    package var remaining: Int { end - position }

    /// Reads one byte.
    package mutating func byte() throws(ChangesetError) -> UInt8 {
        guard position < end else { throw .damaged("it ends too early") }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads an integer: base 128, the most significant digit first (RFC 3284, section 2), in its shortest form.
    ///
    /// - Parameter limit: The maximum value.
    /// - Returns: The value.
    /// - Throws: `ChangesetError` `damaged`.
    package mutating func integer(max limit: Int) throws(ChangesetError) -> Int {
        var value = 0
        var isFirst = true
        while true {
            let next = try byte()
            guard !isFirst || next != 0x80 else {
                throw .damaged("a number is not in its shortest form")
            }
            isFirst = false
            guard value <= limit >> 7 else { throw .damaged("a number is too large") }
            value = value << 7 | Int(next & 0x7F)
            guard value <= limit else { throw .damaged("a number is too large") }
            if next & 0x80 == 0 { return value }
        }
    }

    /// Reads a number of bytes.
    package mutating func bytes(_ count: Int) throws(ChangesetError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= remaining else { throw .damaged("it ends too early") }
        defer { position += count }
        return bytes[position..<(position + count)]
    }

    /// Splits off a reader of the next bytes.
    package mutating func part(_ count: Int) throws(ChangesetError) -> ChangesetReader {
        guard count >= 0, count <= remaining else { throw .damaged("it ends too early") }
        defer { position += count }
        return ChangesetReader(bytes, position..<(position + count))
    }

    /// Reads the remaining bytes.
    package mutating func rest() -> [UInt8] {
        defer { position = end }
        return Array(bytes[position..<end])
    }
}

extension [UInt8] {
    /// Appends an integer in the form that ``ChangesetReader/integer(max:)`` reads.
    package mutating func append(integer value: Int) {
        precondition(value >= 0)
        var digits = [UInt8(value & 0x7F)]
        var rest = value >> 7
        while rest > 0 {
            digits.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        append(contentsOf: digits.reversed())
    }
}

/// A reason why a changeset is not used; a device then fetches the files instead.
package enum ChangesetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes are no changeset: a web page, as of a network that requires a sign-in.
    case isNone
    /// The bytes are no changeset that this version can read.
    case damaged(String)
    /// It starts from another release, or is signed under another root.
    case doesNotFit(String)
    /// A stored document from which it builds another is missing or damaged.
    case lacksBase

    /// The reason.
    package var description: String {
        switch self {
        case .isNone: "The bytes are no changeset."
        case .damaged(let reason): "The changeset is damaged: \(reason)."
        case .doesNotFit(let reason): "The changeset does not fit: \(reason)."
        case .lacksBase: "A stored document that the changeset builds on is missing."
        }
    }
}
