import Foundation

/// Writes the placement tests, texts and clip lists of the sample content.
///
/// Everything that a test says about a language comes from the locale data that ships with
/// Foundation (Unicode CLDR through ICU). Same Foundation, same files.
@main
struct Generator {
    static func main() throws {
        if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--words" {
            printWords(Language(CommandLine.arguments[2]))
            return
        }
        guard CommandLine.arguments.count == 2 else {
            print("usage: SampleGenerator FOLDER | --words LANGUAGE")
            exit(64)
        }
        let folder = URL(fileURLWithPath: CommandLine.arguments[1])
        for language in Language.all {
            let target = folder.appending(path: "languages/\(language.code)")
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
            try write(PlacementTest(language).json, to: target, "blueprint.json")
            try write(UserInterface.texts(language), to: target, "localization.json")
        }
    }

    /// What is spoken: a file name and a word a line, parted by a tab.
    private static func printWords(_ language: Language) {
        let names = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
        for (name, word) in zip(names, language.weekdays) { print("weekday-\(name)\t\(word)") }
        print("language-name\t\(language.ownName)")
    }

    private static func write(_ object: Any, to folder: URL, _ name: String) throws {
        let data = try JSONSerialization.data(
            withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        try (data + Data("\n".utf8)).write(to: folder.appending(path: name))
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014), seeded by a language's code.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ text: String) {
        state = text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
