import Accounts
import ContentModel
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import DeskWeb

/// The pages of announcements: list, texts of all languages, draft, preview.
struct AnnouncementPagesTests {
    private static let file = "content/announcements/7-website.yaml"
    private static let source = """
        # Spring campaign
        identifier: 7 # never change
        type: website
        link: https://example.org/news
        start: 2026-10-01T00:00:00Z
        end: 2026-11-01T00:00:00Z
        texts:
          en: # reviewed
            title: Read how
            content: "Keys are found by answers."
            buttons: { open: Read on }

        """

    private static func world(_ text: String = source) async throws -> DeskWorld {
        let world = try await DeskWorld()
        try world.folder.write(
            "name: Made\nannouncements: { languages: [en, de] }\n", to: "content/underway.yaml")
        try world.folder.write(text, to: file)
        return world
    }

    @Test func theListSaysWhenAndWhatIsMissing() async throws {
        let world = try await Self.world()
        try world.folder.write(
            "identifier: 8\ntype: information\nstart: 2099-01-01T00:00:00Z\ntexts:\n  en: { title: Later, content: x }\n",
            to: "content/announcements/8-information.yaml")
        try world.folder.write("identifier: [", to: "content/announcements/9-broken.yaml")
        let browser = try await world.browser([.author])

        let page = try await browser.get("/desk/announcements")
        let planned = try await browser.get("/desk/announcements?state=planned&q=")
        let found = try await browser.get("/desk/announcements?q=read+how&state=")
        let none = try await browser.get("/desk/announcements?q=nothing+like+this")

        #expect(page.status == 200)
        for words in [
            "1 October 2026 to 1 November 2026", "de missing", "From 1 January 2099",
            "9-broken.yaml", "Cannot be read", "1 error", "3 of 3",
        ] {
            #expect(page.body.contains(words), "\(words)")
        }
        #expect(planned.body.contains("Later") && !planned.body.contains("Read how"))
        #expect(found.body.contains("Read how") && !found.body.contains("Later"))
        #expect(none.body.contains("None is like this."))
        #expect(page.body.matches(of: /button filled/).count == 1)
    }

    @Test func thePageHasTheMessagesBesideTheFieldsAndThePreview() async throws {
        let world = try await Self.world(
            Self.source.replacing("https://example.org/news", with: "nowhere"))
        let browser = try await world.browser([.author])

        let page = try await browser.get("/desk/announcements/7")

        #expect(page.status == 200)
        let link = try #require(
            page.body.firstRange(of: /name="\/link" value="nowhere"[^>]*aria-invalid="true"/))
        let message = try #require(page.body.firstRange(of: "must be an address, https://…"))
        let next = try #require(page.body.firstRange(of: "name=\"/image\""))
        #expect(link.upperBound < message.lowerBound && message.upperBound < next.lowerBound)
        #expect(page.body.contains("no text in the language &quot;de&quot;"))
        #expect(page.body.contains("<dialog class=\"sheet\" open"))
        #expect(page.body.contains("name=\"/texts/de/title\" value=\"\""))
        #expect(page.body.matches(of: /name="shown"/).count == 1)
        #expect(page.body.utf8.count < 100_000)
    }

    @Test func savingChangesNothingElse() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])
        let page = try await browser.get("/desk/announcements/7")

        let reply = try await browser.post(
            "/desk/announcements/7",
            [
                ("shown", try page.shown), ("/texts/en/title", "Read \"how\": now"),
                ("/texts/en/content", "Keys are found by answers."), ("/end", "2026-12-01 8:30"),
                ("/start", "2026-10-02 08:30"), ("/link", "https://example.org/news"),
            ])

        #expect(reply.status == 303)
        #expect(reply.location == "/desk/announcements/7")
        let expected = Self.source.replacing(
            "2026-10-01T00:00:00Z", with: "\"2026-10-02T08:30:00Z\"")
        let text = try world.folder.text(Self.file)
        #expect(
            text.split(separator: "\n").filter { !$0.contains("title") && !$0.contains("end:") }
                == expected.split(separator: "\n").filter {
                    !$0.contains("title") && !$0.contains("end:")
                })
        #expect(text.contains("2026-12-01 8:30"))
        let again = try await browser.get("/desk/announcements/7")
        #expect(again.body.contains("stops publishing"))
        #expect(again.body.contains("Read &quot;how&quot;: now"))
        #expect(again.body.contains("a time in UTC such as"))
    }

    @Test func aMissingLanguageIsWrittenAndAnotherAdded() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])
        let page = try await browser.get("/desk/announcements/7")

        let reply = try await browser.post(
            "/desk/announcements/7",
            [
                ("shown", try page.shown), ("/texts/de/title", "Lies"),
                ("/texts/de/content", "Eins\r\nZwei"), ("/texts/de/buttons/open", "Weiter"),
                ("add", " pt-BR "),
            ])

        #expect(reply.status == 303)
        let text = try world.folder.text(Self.file)
        #expect(text.contains("title: Lies"))
        #expect(!text.contains("\r"))
        #expect(text.contains("en: # reviewed"))
        let again = try await browser.get("/desk/announcements/7")
        #expect(again.body.contains("name=\"/texts/pt-BR/title\""))
        #expect(again.body.contains("A text in &quot;pt-BR&quot; is blank"))
    }

    @Test func aChangeOfSomebodyElseIsShownAndNothingTypedIsLost() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])
        let page = try await browser.get("/desk/announcements/7")
        try world.folder.write(
            Self.source.replacing("Read how", with: "Theirs"), to: Self.file)
        let form = [("/texts/en/title", "Mine"), ("/texts/nl/title", "Ook"), ("language", "nl")]

        let conflict = try await browser.post(
            "/desk/announcements/7", form + [("shown", try page.shown)])
        let kept = try world.folder.text(Self.file)
        let mine = try await browser.post(
            "/desk/announcements/7",
            form + [("shown", try conflict.shown), ("decision", "mine")])

        #expect(conflict.status == 409)
        for words in ["Theirs", "value=\"Mine\"", "value=\"Ook\"", "Save mine", "Use theirs"] {
            #expect(conflict.body.contains(words), "\(words)")
        }
        #expect(kept.contains("Theirs") && !kept.contains("Mine"))
        #expect(mine.status == 303)
        #expect(try world.folder.text(Self.file).contains("title: Mine"))
        #expect(try world.folder.text(Self.file).contains("title: Ook"))
        let theirs = try await browser.post(
            "/desk/announcements/7", [("/texts/en/title", "No"), ("decision", "server")])
        #expect(theirs.status == 303)
        #expect(try !world.folder.text(Self.file).contains("title: No"))
        let unmarked = try await browser.post("/desk/announcements/7", form)
        #expect(unmarked.status == 409)
    }

    @Test func aNewOneIsADraftUnderTheNextNumber() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])

        let empty = try await browser.get("/desk/announcements/new")
        let unknown = try await browser.post(
            "/desk/announcements", [("type", "../x"), ("title", "<b>")])
        let reply = try await browser.post(
            "/desk/announcements", [("type", "email"), ("title", "Write to us")])

        #expect(empty.status == 200)
        #expect(unknown.status == 422)
        #expect(!unknown.body.contains("<b>"))
        #expect(reply.location == "/desk/announcements/8")
        #expect(
            try world.folder.text("content/announcements/8-email.yaml").contains("Write to us"))
        let page = try await browser.get("/desk/announcements/8")
        #expect(page.body.contains("value=\"Write to us\""))
        #expect(page.body.contains("must be a mail address"))
    }

    @Test func hostileTextIsEscapedEverywhere() async throws {
        let script = "\"><script>alert(1)</script>"
        let json = String(decoding: JSONValue.string(script).canonicalBytes, as: UTF8.self)
        let world = try await Self.world()
        try world.folder.write(
            """
            {"identifier": 7, "type": "website", "link": \(json), "image": \(json),
             "start": \(json), "end": \(json), "minimumAppVersion": \(json),
             "maximumAppVersion": \(json), "languages": [\(json)],
             "texts": {\(json): {"title": \(json), "content": \(json), "imageLabel": \(json),
                "buttons": {"open": \(json), \(json): \(json)}},
              "en": {"title": \(json), "content": \(json)}}}
            """, to: "content/announcements/7-website.json")
        try FileManager.default.removeItem(atPath: world.content + "/announcements/7-website.yaml")
        let browser = try await world.browser([.author])

        let list = try await browser.get("/desk/announcements")
        let page = try await browser.get("/desk/announcements/7?preview=en")
        let conflict = try await browser.post(
            "/desk/announcements/7",
            [("/texts/en/title", script + "2"), ("/link", script + "3"), ("language", script)])

        #expect(list.status == 200 && page.status == 200 && conflict.status == 409)
        for reply in [list, page, conflict] {
            #expect(!reply.body.contains("<script>alert"))
            #expect(!reply.body.contains("\"><script>"))
            #expect(reply.body.contains("&lt;script&gt;"))
        }
    }

    @Test func whatIsNotThereIsSaid() async throws {
        let world = try await Self.world()
        let browser = try await world.browser([.author])

        for path in ["99", "0", "x", "..%2f7", "7%2f.."] {
            #expect(try await browser.get("/desk/announcements/\(path)").status == 404, "\(path)")
        }
        #expect(try await browser.post("/desk/announcements/99").status == 404)
    }

    @Test(arguments: [
        ("2026-11-21", "2026-11-21T00:00:00Z"), ("2026-11-21 10:00", "2026-11-21T10:00:00Z"),
        (" 2026-11-21T10:00:05Z ", "2026-11-21T10:00:05Z"), ("soon", "soon"),
    ]) func momentsAreSpelledOneWay(typed: String, written: String) {
        #expect(MomentText.normalized(typed) == written)
    }
}

extension DeskReply {
    /// The mark of what a form showed.
    var shown: String {
        get throws {
            try String(#require(body.firstMatch(of: /name="shown" value="([0-9a-f]+)"/)).1)
        }
    }

    /// The key of the file that the desk keeps for the form.
    var upload: String {
        get throws {
            try String(#require(body.firstMatch(of: /name="upload" value="([0-9a-f]+)"/)).1)
        }
    }
}
