import ContentModel
import Testing

@Suite struct ContentPathTests {
    @Test(arguments: ["a", "a/b.json", "audio/es/hello world.m4a", "日本/語.txt"])
    func plainPathsAreAccepted(path: String) {
        #expect(ContentPath(path)?.text == path)
    }

    @Test(arguments: [
        "", "/a", "a/", "a//b", "..", "a/../b", ".", "./a", ".hidden", "a/.git", "a\\b", "c:a",
        "a%2e", "a?b", "a#b", "a\u{0}b", "a\nb", "a\"b", String(repeating: "a", count: 256),
        String(repeating: "a/", count: 300) + "a", "a\u{600}/..", "a\u{600}/../b", "a\u{600}//b",
        "a\u{600}/", "a/.\u{301}b", ".\u{301}", "a/\u{301}/../..",
    ])
    func pathsThatCouldLeadElsewhereAreRefused(path: String) {
        #expect(ContentPath(path) == nil)
    }

    @Test func aSlashSeparatesWhateverStandsBesideIt() {
        let path = ContentPath("a\u{600}/\u{301}b/c")
        #expect(path?.components == ["a\u{600}", "\u{301}b", "c"])
    }

    @Test(arguments: [
        ("es", true), ("zh-Hant", true), ("aws.saa_03", true), ("", false), ("-a", false),
        ("a/b", false), ("é", false), (String(repeating: "a", count: 65), false),
    ])
    func identifiersAreShortAndPlain(text: String, isValid: Bool) {
        #expect(Identifier.isValid(text) == isValid)
    }

    @Test func examKeysHaveTwoParts() {
        #expect(Identifier.examKey("de/aws")?.exam == "aws")
        for key in ["de", "de/", "/aws", "de/aws/x", "../aws"] {
            #expect(Identifier.examKey(key) == nil)
        }
    }
}
