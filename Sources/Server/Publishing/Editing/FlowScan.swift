/// A scanner for the ends of quoted text and brackets, in JSON and in YAML.
struct FlowScan {
    private let bytes: [UInt8]
    private let isJSON: Bool

    /// Creates a scan of a text that was parsed without errors.
    init(_ bytes: [UInt8], isJSON: Bool) {
        self.bytes = bytes
        self.isJSON = isJSON
    }

    /// Returns the offset after the quote that ends a quoted text.
    func quoteEnd(_ start: Int) -> Int {
        let quote = bytes[start]
        var offset = start + 1
        while offset < bytes.count {
            if quote == UInt8(ascii: "\""), bytes[offset] == UInt8(ascii: "\\") {
                offset += 2
            } else if bytes[offset] != quote {
                offset += 1
            } else if quote == UInt8(ascii: "'"), offset + 1 < bytes.count,
                bytes[offset + 1] == quote
            {
                offset += 2
            } else {
                return offset + 1
            }
        }
        return bytes.count
    }

    /// Returns the offset after the bracket that closes the one at `start`.
    func end(_ start: Int) -> Int {
        var depth = 0
        var offset = start
        // In YAML a quote opens only where a value may begin: it is a letter in `it's`.
        var mayBegin = true
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                mayBegin = true
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return offset + 1 }
                mayBegin = false
            case let byte where opensQuote(byte) && (mayBegin || isJSON):
                offset = quoteEnd(offset)
                mayBegin = false
                continue
            case UInt8(ascii: "#") where !isJSON && isAfterBlank(offset):
                while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
                continue
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "?"): mayBegin = true
            case 0x20, 0x09, 0x0A, 0x0D: break
            default: mayBegin = false
            }
            offset += 1
        }
        return bytes.count
    }

    private func opensQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || (byte == UInt8(ascii: "'") && !isJSON)
    }

    private func isAfterBlank(_ offset: Int) -> Bool {
        offset > 0 && [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset - 1])
    }
}
