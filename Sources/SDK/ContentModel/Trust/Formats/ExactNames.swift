extension Dictionary where Key == String {
    /// Returns the value of a name that is the same code point by code point.
    ///
    /// For `String`, other spellings of one text are equal (canonical equivalence); for a host, a
    /// signature and other implementations of TUF they are two names.
    func exactly(_ name: String) -> Value? {
        guard let index = index(forKey: name), self[index].key.isExactly(name) else { return nil }
        return self[index].value
    }
}

extension String {
    /// Compares code points; `==` compares texts.
    func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The text for one part of a path, in an address or on a disk: all but letters, digits and `-._~` is
    /// percent-encoded (RFC 3986, section 2.3).
    package var percentEncodedPart: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
