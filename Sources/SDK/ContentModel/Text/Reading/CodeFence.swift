/// The line that opens a fenced block of code (CommonMark 0.31.2, section 4.5).
struct CodeFence {
    /// The columns before the fence, of which each line of code loses as many.
    let indent: Int
    /// The language in lower case; `nil` for a word that is no name of a language.
    let language: String?
    private let mark: UInt8
    private let length: Int

    /// Returns `nil` for a line that opens no block of code.
    init?(_ line: TextLine) {
        guard line.mayStartBlock, let mark = line.content.first,
            mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~")
        else { return nil }
        let info = line.content.drop { $0 == mark }
        length = line.content.count - info.count
        guard length >= 3, mark == UInt8(ascii: "~") || !info.contains(mark) else { return nil }
        self.mark = mark
        indent = line.indent
        language = Self.language(info.trimmed.prefix { !$0.isBlank })
    }

    /// Returns true if a line ends the block.
    func isClosed(by line: TextLine) -> Bool {
        line.mayStartBlock && line.content.count >= length && line.content.allSatisfy { $0 == mark }
    }

    /// Returns a name in lower case; `nil` for one that no language has.
    static func language(_ word: ArraySlice<UInt8>) -> String? {
        let name = word.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let isName = name.allSatisfy {
            $0.isDigit || (0x61...0x7A).contains($0) || "+#._-".utf8.contains($0)
        }
        guard isName, (1...20).contains(name.count) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}
