extension JSONValue {
    /// Returns the value as OLPC's canonical JSON, the bytes that TUF signs (TUF 4.1).
    ///
    /// It is neither RFC 8785 nor `canonicalBytes`: only `"` and `\` are escaped, control characters are written
    /// unchanged, names are sorted by code points, and numbers are integers.
    /// - Returns: The bytes; `nil` when the value contains a number that is not an integer.
    public func olpcCanonicalBytes() -> [UInt8]? {
        var writer = OLPCWriter()
        return writer.write(self) ? writer.bytes : nil
    }
}

/// A writer of OLPC's canonical JSON.
private struct OLPCWriter {
    var bytes: [UInt8] = []

    /// Appends a value; returns false for one that has no canonical form.
    mutating func write(_ value: JSONValue) -> Bool {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .decimal: return false
        case .string(let value): write(text: value)
        case .array(let values): return write(array: values)
        case .object(let members): return write(object: members)
        }
        return true
    }

    private mutating func write(array values: [JSONValue]) -> Bool {
        bytes.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            guard write(value) else { return false }
        }
        bytes.append(UInt8(ascii: "]"))
        return true
    }

    private mutating func write(object members: [String: JSONValue]) -> Bool {
        bytes.append(UInt8(ascii: "{"))
        // The order of UTF-8's bytes is that of code points; that of `String` is another.
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, member) in sorted.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(text: member.key)
            bytes.append(UInt8(ascii: ":"))
            guard write(member.value) else { return false }
        }
        bytes.append(UInt8(ascii: "}"))
        return true
    }

    private mutating func write(text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(UInt8(ascii: "\\"))
            }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
