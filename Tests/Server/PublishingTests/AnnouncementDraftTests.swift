import ContentModel
import Publishing
import TestSupport
import Testing

@Suite struct AnnouncementDraftTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            "name: Test\nannouncements: { languages: [en, de] }\n", to: "content/underway.yaml")
    }

    private func write(_ draft: AnnouncementDraft) throws -> (path: String, problems: [Problem]) {
        try draft.write(to: folder.path + "/content")
    }

    @Test(arguments: AnnouncementType.allCases)
    func whatIsBlankIsNamed(type: AnnouncementType) throws {
        let (path, problems) = try write(AnnouncementDraft(type))
        #expect(path == "announcements/1-\(type.rawValue).yaml")
        let needsLink = type == .website || type == .email
        #expect(
            problems.map(\.rule)
                == (needsLink ? [.announcementAction] : [])
                + [.announcementUntranslated, .announcementUntranslated])
    }

    @Test func whatIsGivenInOneLanguageIsComplete() throws {
        var draft = AnnouncementDraft(.website)
        (draft.title, draft.content, draft.button) = ("News: \"a\"", "# b\nc", "Read")
        draft.link = "https://example.org"
        draft.languages = ["en"]
        #expect(try write(draft).problems == [])
        let report = DecodingReport(file: "announcements.json", strictness: .released)
        let publisher = Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release")
        _ = try publisher.publish(nowSeconds: 1_800_000_000, generatedAt: "2027-01-15T08:00:00Z")
        let node = try JSONParser.parse(try folder.read("release/announcements.json"))
        guard case .array(let all)? = node.member("announcements")?.value.content else {
            Issue.record("nothing was published")
            return
        }
        let announcement = try #require(Announcement.read(all[0], report: report))
        let text = AnnouncementText(
            title: "News: \"a\"", content: "# b\nc", buttons: ["open": "Read"])
        #expect(announcement.texts == ["en": text] && announcement.languages == ["en"])
    }

    @Test func eachGetsTheNextIdentifierAndKnowsItsRivals() throws {
        var draft = AnnouncementDraft(.information)
        (draft.title, draft.content, draft.languages) = ("A", "B", ["en"])
        try folder.write("no map", to: "content/announcements/broken.yaml")
        try folder.write("identifier: 41\n", to: "content/announcements/old.yaml")
        #expect(try write(draft).path == "announcements/42-information.yaml")
        let (path, problems) = try write(draft)
        #expect(path == "announcements/43-information.yaml")
        #expect(problems.map(\.rule) == [.announcementOverlap])
    }

    @Test func aFolderWithoutSettingsIsRefused() {
        #expect(throws: PublishingError.self) {
            try AnnouncementDraft(.email).write(to: folder.path)
        }
    }
}
