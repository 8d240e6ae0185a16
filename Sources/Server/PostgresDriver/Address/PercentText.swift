/// Percent-encoding as in RFC 3986, section 2.1.
enum PercentText {
    /// Encodes all but the unreserved characters.
    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126:
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return encoded
    }

    /// Decodes; returns `nil` for a malformed sequence, for bytes that are not UTF-8, and for NUL.
    static func decode(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.count >= 2,
                    let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                    rest.first != UInt8(ascii: "+")
                else { return nil }
                rest = rest.dropFirst(2)
                bytes.append(value)
            } else {
                bytes.append(byte)
            }
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}
