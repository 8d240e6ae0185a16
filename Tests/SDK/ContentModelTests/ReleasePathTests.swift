import ContentModel
import Testing

@Suite struct ReleasePathTests {
    private static let checksum = Checksum(of: [7])

    private static let plain: [ReleasePath?] = [
        .manifest, .announcements, .object(checksum), .history(release: 12),
        ReleasePath(.blueprint, key: "de.json"), ReleasePath(.localization, key: "x.gz"),
        ReleasePath(.exam, key: "ca/az-104"),
    ]

    private static let named: [ReleasePath?] = [
        ReleasePath(.asset, key: "a/b.gz"), ReleasePath(.audio, key: "de", name: "a/b.mp3"),
        ReleasePath(.media, key: "ca/az", name: "\u{301}.png"),
    ]

    @Test func whatWasMadeOfPartsIsParsedBack() throws {
        for path in Self.plain + Self.named {
            let path = try #require(path)
            #expect(ReleasePath(path.text) == path)
        }
    }

    @Test func siblingsAreParsedBackUnlessAuthorsChooseTheName() throws {
        for packing in ReleasePath.Packing.allCases {
            for path in Self.plain {
                let sibling = try #require(path).packed(packing)
                #expect(ReleasePath(sibling.text) == sibling)
                #expect(sibling.plain == path)
            }
            for path in Self.named {
                let sibling = try #require(path).packed(packing)
                let parsed = try #require(ReleasePath(sibling.text))
                #expect(parsed.packing == nil && parsed.text == sibling.text)
                #expect(ReleasePath.Packing.split(sibling.text)?.plain == path?.text)
            }
        }
    }

    @Test(arguments: [
        "", "/", "manifest", "manifest.json/", "/manifest.json", "manifest.json.zst",
        "releases/0/manifest.json", "releases/01/manifest.json", "releases/+1/manifest.json",
        "releases/1/manifest", "releases/1", "objects", "objects/ab", "objects/ab/cd",
        "blueprints/de", "blueprints/.json", "blueprints/../de.json", "blueprints/a/b.json",
        "exams/ca.json", "exams/a/b/c.json", "assets/", "assets/../manifest.json", "assets/.a",
        "assets//a", "audio/de", "audio/de/", "audio/de/../x", "media/ca/az", "media/ca//x",
        "announcements.json/x", "other/file", ".underway/index", "assets/a?b", "assets/a%2e",
    ])
    func whatNoReleaseHasIsNoPath(text: String) {
        #expect(ReleasePath(text) == nil)
    }

    @Test func anObjectLiesInTheFolderOfItsFirstDigits() {
        let hex = Self.checksum.hex
        #expect(ReleasePath("objects/\(hex.prefix(2))/\(hex)") == .object(Self.checksum))
        #expect(ReleasePath("objects/zz/\(hex)") == nil)
        #expect(ReleasePath("objects/\(hex.prefix(2))/x\(hex)") == nil)
    }

    @Test func invalidPartsMakeNoPath() {
        #expect(ReleasePath(.blueprint, key: "../de") == nil)
        #expect(ReleasePath(.blueprint, key: "de", name: "x") == nil)
        #expect(ReleasePath(.exam, key: "az") == nil)
        #expect(ReleasePath(.audio, key: "de", name: "../x") == nil)
        #expect(ReleasePath(.media, key: "ca/az") == nil)
        #expect(ReleasePath(.asset, key: "/etc/passwd") == nil)
        #expect(ReleasePath(.announcements, key: "x") == nil)
        #expect(ReleasePath.history(release: 0) == nil)
    }
}
