/// The processing instructions of an XML document.
enum XMLInstructions {
    /// Returns a document in which each instruction without data has a space in place of it: `<?page?>` becomes
    /// `<?page ?>`.
    ///
    /// Foundation's parser on Linux ends the process at an instruction without data. Comments and CDATA sections stay as
    /// they are.
    static func withData(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var start = 0
        var position = 0
        while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = bytes[open...]
            if rest.starts(with: "<!--".utf8) {
                position = end(of: "-->", in: rest.dropFirst(4))
            } else if rest.starts(with: "<![CDATA[".utf8) {
                position = end(of: "]]>", in: rest.dropFirst(9))
            } else if rest.starts(with: "<?".utf8) {
                position = end(of: "?>", in: rest.dropFirst(2))
                let content = bytes[open..<position]
                guard content.hasSuffix("?>"), !content.contains(where: isSpace) else { continue }
                result += bytes[start..<position - 2] + [UInt8(ascii: " ")]
                start = position - 2
            } else {
                position = open + 1
            }
        }
        return start == 0 ? text : String(decoding: result + bytes[start...], as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }

    /// Returns the index after a mark; the end of the bytes without one.
    private static func end(of mark: StaticString, in bytes: ArraySlice<UInt8>) -> Int {
        mark.withUTF8Buffer { mark in
            var position = bytes.startIndex
            while let first = bytes[position...].firstIndex(of: mark[0]) {
                if bytes[first...].starts(with: mark) { return first + mark.count }
                position = first + 1
            }
            return bytes.endIndex
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ mark: String) -> Bool {
        suffix(mark.utf8.count).elementsEqual(mark.utf8)
    }
}
