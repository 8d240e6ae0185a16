/// Content folders as nobody should write them: odd names, odd documents.
public struct RandomContent<Generator: RandomNumberGenerator> {
    private var random: Generator

    public init(using random: Generator) { self.random = random }

    /// Does some harm to the content folder of a temporary folder.
    public mutating func harm(_ folder: TemporaryFolder, documents: [String]) throws {
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let path = path()
            do {
                let bytes = Bool.random(using: &random) ? Array("{}".utf8) : text()
                try FileBytes.write(
                    bytes, to: Array((folder.path + "/content/").utf8) + path)
            } catch is FileBytes.Failure {
                // A name that no file system takes, or a file where a folder would be.
            }
        }
        for _ in 0..<Int.random(in: 0...1, using: &random) {
            guard let document = documents.randomElement(using: &random) else { return }
            let path = "content/" + document
            let bytes = mutated(try folder.read(path))
            try FileBytes.write(bytes, to: Array((folder.path + "/" + path).utf8))
        }
    }

    // MARK: Names

    private static var folders: [String] {
        [
            "assets", "assets/deep", "languages", "languages/es", "languages/es/audio", "exams",
            "exams/int", "exams/int/demo", "exams/int/demo/media", "announcements", "schemas", "",
        ]
    }

    private static var pieces: [String] {
        [
            "a", "A", "\u{E9}", "e\u{301}", "\u{C9}", "\u{DF}", "SS", "con", "NUL", "es", "ES", " ",
            ".", "..", "-", "_", "<", ">", ":", "%", "?", "*", "|", "\\", "\"", "\n", "\t",
            "\u{1B}[31m", "\u{FFFD}", "\u{65E5}", "\u{1F469}\u{200D}\u{1F467}", "\u{130}",
            "\u{131}",
            "\u{FB01}", "fi", "\u{212A}", ".gz", ".br", ".json", ".yaml", "questions", "blueprint",
            "exam", "media", "audio", "assets", "links", "{", "}", "$", "~", "\u{1100}\u{1161}",
            "\u{AC00}", "\u{202E}", "\u{0}", String(repeating: "x", count: 120),
        ]
    }

    private mutating func path() -> [UInt8] {
        var path = Array((Self.folders.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            path.append(UInt8(ascii: "/"))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                path += (Self.pieces.randomElement(using: &random) ?? "").utf8
            }
            if Int.random(in: 0..<20, using: &random) == 0 { path += [0xFF, 0xC3] }
        }
        // Never out of the folder, and never a name that is cut at a zero.
        let parts = path.split(separator: UInt8(ascii: "/"))
        let safe = parts.filter { $0 != [0x2E] && $0 != [0x2E, 0x2E] && !$0.contains(0) }
        return Array((safe.isEmpty ? [[0x61]] : safe).joined(separator: [UInt8(ascii: "/")]))
    }

    // MARK: Documents

    private static var tokens: [String] {
        [
            "&a ", "*a", "<<: ", "1e999", "-1e999", ".inf", "!!int ", "!<x> ", "? ", ": ", "- ",
            "{",
            "}", "[", "]", "\u{0}", "---\n", "...\n", "\t", "9223372036854775808",
            "-9223372036854775808", "9223372036854775807", "~", "null", "\"", "'", "\u{FEFF}",
            "\u{E9}: 1\n", "e\u{301}: 1\n", "|\n", ">-\n", "#", "%YAML 1.1\n", "\\u0000", "\\ud800",
            "\u{85}", "\u{2028}", "true", "0x10", "identifier: 1\n", "\"a\": 1,", "\n", "\n  ",
        ]
    }

    private mutating func text() -> [UInt8] {
        (0..<Int.random(in: 0...12, using: &random)).flatMap { _ in
            Array((Self.tokens.randomElement(using: &random) ?? "").utf8)
        }
    }

    private mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...result.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0 where place < result.count:
                result[place] = UInt8.random(in: 0...255, using: &random)
            case 1:
                let count = Int.random(in: 0...20, using: &random)
                result.removeSubrange(place..<min(result.count, place + count))
            case 2:
                let count = Int.random(in: 0...40, using: &random)
                let copy = result[place..<min(result.count, place + count)]
                result.insert(
                    contentsOf: copy, at: Int.random(in: 0...result.count, using: &random))
            default:
                let token = Self.tokens.randomElement(using: &random) ?? ""
                result.insert(contentsOf: token.utf8, at: place)
            }
        }
        return result
    }
}
