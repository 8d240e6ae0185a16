/// Finds in the bytes of YAML what may be an alias or a marked key.
///
/// It knows neither quotes nor comments, so it finds all that there are and sometimes more, never less.
enum YAMLScan {
    /// True for the letters of an anchor's name, as libyaml reads it.
    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// The text with a marker in place of the asterisk of each alias; `nil` when there is no alias.
    static func masked(_ bytes: [UInt8], marker: Character) -> String? {
        guard bytes.contains(UInt8(ascii: "*")) else { return nil }
        let anchors = Set(names(after: UInt8(ascii: "&"), in: bytes).map(\.name))
        guard !anchors.isEmpty else { return nil }
        var masked: [UInt8] = []
        var end = 0
        for (index, name) in names(after: UInt8(ascii: "*"), in: bytes)
        where anchors.contains(name) {
            masked += bytes[end..<index]
            masked += String(marker).utf8
            end = index + 1
        }
        guard end > 0 else { return nil }
        return String(decoding: masked + bytes[end...], as: UTF8.self)
    }

    /// Each place of a sign with a name after it.
    private static func names(
        after sign: UInt8, in bytes: [UInt8]
    ) -> [(index: Int, name: ArraySlice<UInt8>)] {
        bytes.indices.compactMap { index in
            guard bytes[index] == sign else { return nil }
            let name = bytes[(index + 1)...].prefix(while: isNameByte)
            return name.isEmpty ? nil : (index, name)
        }
    }

    /// The line of a marked key: of a question mark where a node may begin.
    ///
    /// - Parameters:
    ///   - number: Which key, from 1.
    ///   - bytes: The text.
    /// - Returns: The line, from 1; `nil` when there are fewer keys.
    static func lineOfMarkedKey(number: Int, in bytes: [UInt8]) -> Int? {
        guard bytes.contains(UInt8(ascii: "?")) else { return nil }
        var (line, found, mayBegin) = (1, 0, true)
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if byte == UInt8(ascii: "\n") { line += 1 }
                mayBegin = true
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break
            case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","): mayBegin = true
            case UInt8(ascii: "?") where mayBegin:
                found += 1
                if found == number { return line }
            case UInt8(ascii: "-"), UInt8(ascii: ":"):
                mayBegin = mayBegin && isBlank(bytes, at: index + 1)
            default: mayBegin = false
            }
        }
        return nil
    }

    private static func isBlank(_ bytes: [UInt8], at index: Int) -> Bool {
        index >= bytes.count || [9, 10, 13, 32].contains(bytes[index])
    }
}
