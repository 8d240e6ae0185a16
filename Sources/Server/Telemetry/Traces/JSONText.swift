/// JSON (RFC 8259) that is written from left to right, without white space.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    mutating func object(_ members: (inout JSONText) -> Void) {
        open("{")
        members(&self)
        close("}")
    }

    mutating func array<Element>(
        _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void
    ) {
        open("[")
        for element in elements { write(&self, element) }
        close("]")
    }

    /// Writes the name of a member; its value must follow.
    mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a number, `true` or `false`, which the caller has as text.
    mutating func literal(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 { escape(byte) }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    /// Escapes what section 7 demands, no more: quotation mark, backslash and the control characters.
    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x0A: bytes += Array("\\n".utf8)
        case 0x0D: bytes += Array("\\r".utf8)
        case 0x09: bytes += Array("\\t".utf8)
        case 0x00..<0x20: bytes += Array((byte < 0x10 ? "\\u000" : "\\u00").utf8) + hex(byte)
        default: bytes.append(byte)
        }
    }

    private func hex(_ byte: UInt8) -> [UInt8] { Array(String(byte, radix: 16).utf8) }

    private mutating func open(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        needsComma = false
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }
}
