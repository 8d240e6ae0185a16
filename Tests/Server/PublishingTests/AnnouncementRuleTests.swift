import ContentModel
import Publishing
import TestSupport
import Testing

@Suite struct AnnouncementRuleTests {
    /// Each text is one that an author might write, and what the checker says of it.
    @Test(
        arguments: [
            ("type: website, link: https://a.org", "buttons: { open: Go }", []),
            ("type: website, link: a.org", "buttons: { open: Go }", [.announcementAction]),
            ("type: website", "buttons: { open: Go }", [.announcementAction]),
            ("type: email, link: mail@a.org", "buttons: { mail: Write }", []),
            ("type: email, link: https://a.org", "buttons: { mail: Go }", [.announcementAction]),
            ("type: newVersion", "buttons: { update: Get it }", []),
            ("type: newVersion, link: store", "buttons: { update: Get }", [.announcementAction]),
            ("type: purchase", "buttons: { open: Buy }", [.announcementAction]),
            ("type: purchase", "buttons: { subscribe: ' ' }", [.announcementUntranslated]),
            ("type: information", "imageLabel: A", []),
            ("type: information, image: a.png", "imageLabel: ' '", [.announcementImageLabel]),
            (
                "type: information, start: 2026-02-01T00:00:00Z, end: 2026-01-01T00:00:00Z", "",
                [.invalidValue]
            ),
            ("type: information, languages: [en, de]", "", [.announcementUntranslated]),
        ] as [(String, String, [Rule])])
    func whatATypeNeedsIsThere(head: String, text: String, expected: [Rule]) throws {
        let comma = text.isEmpty ? "" : ", "
        let yaml =
            "{ identifier: 1, \(head), texts: { en: { title: T, content: C\(comma)\(text) } } }"
        #expect(try rules(of: yaml) == expected)
    }

    @Test func aButtonHasATitleInEachLanguage() throws {
        let texts =
            "en: { title: T, content: C, buttons: { later: L } }, de: { title: T, content: C }"
        let yaml = "{ identifier: 1, type: information, texts: { \(texts) } }"
        #expect(try rules(of: yaml) == [.announcementUntranslated])
    }

    private func rules(of yaml: String) throws -> [Rule] {
        let folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        try folder.write("image", to: "content/assets/a.png")
        try folder.write(yaml, to: "content/announcements/a.yaml")
        return try ContentChecker.check(folder: folder.path + "/content").map(\.rule)
    }
}
