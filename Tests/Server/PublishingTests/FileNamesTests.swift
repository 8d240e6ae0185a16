import TestSupport
import Testing

@testable import Publishing

@Suite struct FileNamesTests {
    @Test func namesAreInTheOrderOfTheirBytes() throws {
        let folder = try TemporaryFolder()
        // Two spellings of é are two names.
        let names = [
            "A", "B", "a", "a-b", "a.b", "ab", "abc", "b", "e\u{301}", "z", "\u{E9}", "\u{10FFFF}",
        ]
        for name in names.shuffled() + [".hidden"] { try folder.write("", to: "names/" + name) }
        let found = try Files.names(in: folder.path + "/names")
        #expect(found.map { Array($0.utf8) } == names.map { Array($0.utf8) })
    }
}
