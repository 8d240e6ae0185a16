/// A scan of the bytes of YAML for possible aliases and marked keys.
///
/// It ignores quotes and comments, so it finds all that exist and sometimes more, never fewer.
enum YAMLScan {
    /// Returns whether a byte belongs to the name of an anchor, as libyaml reads it.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Returns the text with a marker in place of the asterisk of each alias; `nil` without
    /// aliases.
    static func masked(_ bytes: [UInt8], marker: Character) -> String? {
        guard bytes.contains(UInt8(ascii: "*")) else { return nil }
        let anchors = Set(names(after: UInt8(ascii: "&"), in: bytes).map(\.name))
        guard !anchors.isEmpty else { return nil }
        let places = names(after: UInt8(ascii: "*"), in: bytes)
            .filter { anchors.contains($0.name) }.map(\.index)
        guard !places.isEmpty else { return nil }
        return String(decoding: self.masked(bytes, at: places, marker: marker), as: UTF8.self)
    }

    /// Returns each place of a sign with a name after it.
    private static func names(
        after sign: UInt8, in bytes: [UInt8]
    ) -> [(index: Int, name: ArraySlice<UInt8>)] {
        bytes.indices.compactMap { index in
            guard bytes[index] == sign else { return nil }
            let name = bytes[(index + 1)...].prefix(while: isNameByte)
            return name.isEmpty ? nil : (index, name)
        }
    }

    /// Returns the places of all question marks where a node may begin.
    static func keyMarks(in bytes: [UInt8]) -> [Int] {
        guard bytes.contains(UInt8(ascii: "?")) else { return [] }
        var places: [Int] = []
        var mayBegin = true
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "["), UInt8(ascii: "{"),
                UInt8(ascii: ","):
                mayBegin = true
            // The end of a line break or of a byte order mark, among others.
            case 0x80...: mayBegin = true
            case UInt8(ascii: "?") where mayBegin: places.append(index)
            case UInt8(ascii: "-"), UInt8(ascii: ":"):
                mayBegin = mayBegin && isBlank(bytes, at: index + 1)
            default: mayBegin = false
            }
        }
        return places
    }

    /// Returns the text with a marker in place of the single bytes at some places.
    static func masked(_ bytes: [UInt8], at places: [Int], marker: Character) -> [UInt8] {
        var masked: [UInt8] = []
        var end = 0
        for place in places {
            masked += bytes[end..<place]
            masked += String(marker).utf8
            end = place + 1
        }
        return masked + bytes[end...]
    }

    /// Returns the lines, from 1, of ascending places.
    static func lines(of places: [Int], in bytes: [UInt8]) -> [Int] {
        var (line, end) = (1, 0)
        return places.map { place in
            line += bytes[end..<place].count { $0 == UInt8(ascii: "\n") }
            end = place
            return line
        }
    }

    private static func isBlank(_ bytes: [UInt8], at index: Int) -> Bool {
        index >= bytes.count || [9, 10, 13, 32].contains(bytes[index])
    }
}
