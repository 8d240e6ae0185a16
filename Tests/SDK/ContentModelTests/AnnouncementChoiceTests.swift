import ContentModel
import Testing

@Suite struct AnnouncementChoiceTests {
    private func announcement(
        _ identifier: Int, _ type: AnnouncementType = .information, languages: [String] = ["en"],
        schema: Int = 1, link: String? = nil, start: String? = nil, end: String? = nil,
        minimum: String? = nil, maximum: String? = nil
    ) -> Announcement {
        let texts = languages.map { ($0, AnnouncementText(title: $0, content: "…")) }
        return Announcement(
            identifier: identifier, schemaVersion: schema, type: type,
            texts: Dictionary(texts, uniquingKeysWith: { $1 }), link: link, start: start, end: end,
            minimumAppVersion: minimum, maximumAppVersion: maximum)
    }

    private func audience(
        _ version: String = "2.0", _ languages: [String] = ["en"],
        now: String = "2026-11-21T12:00:00Z"
    ) -> AnnouncementAudience {
        AnnouncementAudience(appVersion: version, languages: languages, now: now)
    }

    @Test func theNewestThatWasNotSeenIsShownOnce() {
        var audience = audience()
        let all = [announcement(1), announcement(3), announcement(2)]
        #expect(audience.choice(of: all)?.identifier == 3)
        audience.seen = [3]
        #expect(audience.choice(of: all)?.identifier == 2)
        audience.seen = [1, 2, 3]
        #expect(audience.choice(of: all) == nil)
    }

    @Test func nothingInterruptsASession() {
        var audience = audience()
        audience.isInSession = true
        #expect(audience.choice(of: [announcement(1)]) == nil)
    }

    @Test func aNewerSchemaIsIgnored() {
        let found = audience().choice(of: [announcement(2, schema: 2), announcement(1)])
        #expect(found?.identifier == 1)
        #expect(audience().shown(announcement(2, schema: 2)) == nil)
    }

    @Test(arguments: [
        ("2026-11-21T09:59:59Z", false), ("2026-11-21T10:00:00Z", true),
        ("2026-11-21T17:59:59Z", true), ("2026-11-21T18:00:00Z", false),
    ])
    func itHasItsTime(now: String, isShown: Bool) {
        let timed = announcement(1, start: "2026-11-21T10:00:00Z", end: "2026-11-21T18:00:00Z")
        #expect((audience(now: now).choice(of: [timed]) != nil) == isShown)
    }

    @Test(arguments: [
        ("1.9", false), ("1.10", true), ("1.10.0", true), ("2.3", true), ("2.3.1", false),
        ("10", false), ("nonsense", false),
    ])
    func itHasItsVersions(version: String, isShown: Bool) {
        let bounded = announcement(1, minimum: "1.10", maximum: "2.3.0")
        #expect((audience(version).choice(of: [bounded]) != nil) == isShown)
    }

    @Test func whoHasTheNewVersionIsNotToldOfIt() {
        let news = announcement(1, .newVersion, link: "https://store.example", maximum: "2.3")
        #expect(audience("2.3").choice(of: [news])?.action == .update("https://store.example"))
        #expect(audience("2.4").choice(of: [news]) == nil)
        #expect(audience("2.4").shown(news)?.action == .alreadyUpdated)
    }

    @Test func whoHasSubscribedIsNotAskedTo() {
        var audience = audience()
        let offer = announcement(1, .purchase)
        #expect(audience.choice(of: [offer])?.action == .subscribe)
        audience.isSubscribed = true
        #expect(audience.choice(of: [offer]) == nil)
        #expect(audience.shown(offer)?.action == .alreadySubscribed)
    }

    @Test func actionsAreValuesOfTheirTypes() {
        let audience = audience()
        #expect(audience.shown(announcement(1))?.action == ShownAnnouncement.Action.none)
        #expect(
            audience.shown(announcement(1, .website, link: "https://a"))?.action
                == .open("https://a"))
        #expect(audience.shown(announcement(1, .email, link: "a@b.c"))?.action == .mail("a@b.c"))
        #expect(audience.shown(announcement(1, .website))?.action == ShownAnnouncement.Action.none)
    }

    @Test(arguments: [
        (["de-AT", "en"], "de"), (["pt-BR"], "pt-BR"), (["PT-br"], "pt-BR"),
        (["zh-Hant-TW"], "zh-Hant"),
        (["ja"], "en"), ([], "en"),
    ])
    func wordsComeInTheUsersLanguage(languages: [String], expected: String) {
        let all = announcement(1, languages: ["de", "en", "pt-BR", "zh-Hant"])
        #expect(audience("1", languages).shown(all)?.language == expected)
    }

    @Test func withoutEnglishTheFirstByNameIsTaken() {
        #expect(
            audience("1", ["ja"]).shown(announcement(1, languages: ["fr", "de"]))?.language == "de")
        #expect(audience().shown(announcement(1, languages: [])) == nil)
    }

    @Test func onlyUsersOfItsLanguagesSeeIt() {
        var forGerman = announcement(1, languages: ["de", "en"])
        forGerman.languages = ["de"]
        #expect(audience("2.0", ["de-AT", "en"]).choice(of: [forGerman])?.language == "de")
        #expect(audience("2.0", ["en", "de"]).choice(of: [forGerman]) == nil)
        #expect(audience("2.0", []).choice(of: [forGerman]) == nil)
    }

    @Test func theActionHasItsTitle() throws {
        var offer = announcement(1, .purchase)
        offer.texts["en"]?.buttons = ["subscribe": "Join", "later": "Later"]
        #expect(try #require(audience().choice(of: [offer])).actionTitle == "Join")
        #expect(try #require(audience().choice(of: [announcement(2)])).actionTitle == nil)
    }
}
