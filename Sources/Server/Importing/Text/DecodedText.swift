import Foundation

/// Decoded text with its detected encoding.
struct DecodedText {
    /// The text, with line feeds only and without a byte order mark.
    let text: String
    /// The name of the encoding, as `UTF-8`.
    let encoding: String

    /// Decodes a file: by its byte order mark, else as UTF-8 if it is valid, else UTF-16 if every
    /// other byte is 0, else line by line as UTF-8 or Windows-1252.
    ///
    /// - Throws: `ImportError` when it is none of them. A byte that is neither becomes U+FFFD, so that its question is
    ///   refused, unless many lines have one.
    init(_ bytes: [UInt8], file: String) throws(ImportError) {
        guard let (text, encoding) = Self.decode(bytes) else {
            throw ImportError(file, .encoding, Self.reason(bytes))
        }
        self.text = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        self.encoding = encoding
    }

    /// Decodes XML: by its byte order mark, else by its declaration, else as UTF-8.
    ///
    /// The declaration is removed, since it no longer applies to the text.
    /// - Throws: `ImportError` when the bytes contradict the declaration.
    init(xml bytes: [UInt8], file: String) throws(ImportError) {
        let head = String(decoding: bytes.prefix(200).filter { $0 > 0 && $0 < 128 }, as: UTF8.self)
        let declared = head.prefixMatch(
            of: Pattern.xmlEncoding)
        let named = declared.flatMap { Self.encodings[$0.1.lowercased()] }
        if let declared, named == nil {
            throw ImportError(
                file, .encoding, "is encoded as \(declared.1), which is not read here")
        }
        let decoded: (String, String)?
        if let named, named != .utf8, !bytes.prefix(4).contains(0), bytes.first != 0xEF {
            let name = String(declared?.1 ?? "")
            decoded = Self.string(bytes[...], named).map { ($0, name) }
        } else {
            decoded = Self.decode(bytes)
        }
        guard let (whole, encoding) = decoded, !whole.contains("\0"),
            named != .utf8 || encoding != "Windows-1252"
        else { throw ImportError(file, .encoding, "is not text in the encoding that it names") }
        text = whole.replacing(Pattern.xmlDeclaration, with: "")
        self.encoding = encoding
    }

    /// Decodes text in an encoding that the user named; the declaration of XML is removed.
    ///
    /// - Throws: `ImportError` when the bytes are not text in it.
    init(_ bytes: [UInt8], file: String, encoding: TextEncoding) throws(ImportError) {
        let decoded = Self.string(bytes[...], encoding.foundation)
        guard let whole = decoded, !whole.contains("\0") else {
            throw ImportError(file, .encoding, "is not text in \(encoding.name)")
        }
        text = (whole.hasPrefix("\u{FEFF}") ? String(whole.unicodeScalars.dropFirst()) : whole)
            .replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            .replacing(Pattern.xmlDeclaration, with: "")
        self.encoding = encoding.name
    }

    /// Says why bytes are no text, with the line of the first that is none.
    static func reason(_ bytes: [UInt8]) -> String {
        guard !bytes.contains(0), let place = bytes.firstIndex(where: isOpen) else {
            return "is not text in UTF-8, UTF-16 or Windows-1252"
        }
        let line = bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1
        return "has a byte on line \(line) that is neither UTF-8 nor Windows-1252;"
            + " --encoding names its encoding, as in --encoding windows-1251"
    }

    static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8, "us-ascii": .utf8, "ascii": .utf8, "utf-16": .utf16,
        "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
        "iso-8859-1": .isoLatin1, "latin1": .isoLatin1, "iso-8859-2": .isoLatin2,
        "windows-1252": .windowsCP1252, "windows-1250": .windowsCP1250,
        "windows-1251": .windowsCP1251, "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC,
    ]

    private static func decode(_ bytes: [UInt8]) -> (String, String)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return utf8(bytes.dropFirst(3)).map { ($0, "UTF-8 with a byte order mark") }
        }
        if bytes.starts(with: [0xFF, 0xFE]) {
            return string(bytes.dropFirst(2), .utf16LittleEndian).map { ($0, "UTF-16LE") }
        }
        if bytes.starts(with: [0xFE, 0xFF]) {
            return string(bytes.dropFirst(2), .utf16BigEndian).map { ($0, "UTF-16BE") }
        }
        let zeros = bytes.prefix(4_000).enumerated().filter { $0.element == 0 }
        if !zeros.isEmpty {
            let isOdd = zeros.allSatisfy { $0.offset % 2 == 1 }
            let isEven = zeros.allSatisfy { $0.offset % 2 == 0 }
            guard isOdd != isEven, bytes.count % 2 == 0, zeros.count * 4 > min(bytes.count, 4_000)
            else { return nil }
            return string(bytes[...], isOdd ? .utf16LittleEndian : .utf16BigEndian)
                .map { ($0, isOdd ? "UTF-16LE" : "UTF-16BE") }
        }
        if let text = utf8(bytes[...]) { return (text, "UTF-8") }
        return MixedText.decode(bytes).map { ($0.text, $0.hasUTF8 ? "UTF-8" : "Windows-1252") }
    }

    /// Returns whether Windows leaves a byte undefined; a file with one has another encoding.
    private static func isOpen(_ byte: UInt8) -> Bool {
        [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(byte)
    }

    private static func utf8(_ bytes: ArraySlice<UInt8>) -> String? {
        guard !bytes.contains(0) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func string(
        _ bytes: ArraySlice<UInt8>, _ encoding: String.Encoding
    ) -> String? {
        if encoding == .utf8 {
            return utf8(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes)
        }
        let isWide =
            encoding == .utf16 || encoding == .utf16LittleEndian || encoding == .utf16BigEndian
        guard !isWide || bytes.count % 2 == 0 else { return nil }
        return String(data: Data(bytes), encoding: encoding)
    }
}
