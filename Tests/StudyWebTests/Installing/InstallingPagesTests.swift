import Foundation
import HTTPTypes
import PageRendering
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

/// What a browser needs to install the app.
struct InstallingPagesTests {
    private struct Manifest: Decodable {
        struct Icon: Decodable {
            var src: String
            var sizes: String
            var type: String
            var purpose: String
        }
        struct Shortcut: Decodable {
            var name: String
            var url: String
        }
        var id: String
        var name: String
        var lang: String
        var dir: String
        var start_url: String
        var scope: String
        var display: String
        var theme_color: String
        var icons: [Icon]
        var shortcuts: [Shortcut]
    }

    private let browser: StudyBrowser

    init() throws { browser = try StudyBrowser([StudyPagesTests.exam()]) }

    private func manifest(_ language: String = "en") async throws -> Manifest {
        let reply = try await browser.get(AppManifest.path, [.acceptLanguage: language])
        #expect(reply.status == 200)
        #expect(reply.headers[.contentType] == "application/manifest+json")
        return try JSONDecoder().decode(Manifest.self, from: Data(reply.bytes))
    }

    @Test func everyFileOfTheManifestExistsWithItsTypeAndSize() async throws {
        let manifest = try await manifest()
        #expect(manifest.icons.contains { $0.purpose == "maskable" })
        for icon in manifest.icons {
            let reply = try await browser.get(icon.src)
            #expect(reply.status == 200 && reply.headers[.contentType] == icon.type, "\(icon.src)")
            let size = try #require(PictureSize(reply.bytes))
            let isDrawing = icon.sizes == "any"
            #expect(isDrawing || icon.sizes == "\(size.width)x\(size.height)", "\(icon.src)")
        }
        for shortcut in manifest.shortcuts {
            #expect(try await browser.get(shortcut.url).status == 200, "\(shortcut.url)")
        }
        #expect([manifest.id, manifest.start_url, manifest.scope] == ["/", "/", "/"])
        #expect(manifest.display == "standalone")
        #expect(try await browser.get("/files/icon-180.png").headers[.contentType] == "image/png")
    }

    @Test func theManifestSpeaksTheLearnersLanguage() async throws {
        let arabic = try await manifest("ar")
        #expect(arabic.lang == "ar" && arabic.dir == "rtl")
        #expect(try await manifest().shortcuts.map(\.name) == ["Today", "Library", "Progress"])
        #expect(arabic.shortcuts.map(\.name) != ["Today", "Library", "Progress"])
    }

    @Test func everyPageLinksItAndNamesTheColoursOfTheGround() async throws {
        let begun = try await browser.post("/session", [("bank", "int/sums"), ("mode", "study")])
        let session = try #require(begun.location)
        let paths = [
            "/", "/library", "/library/int/sums", "/progress", "/inbox", "/settings",
            "/settings/log", "/bookings", "/favourites", "/updates", "/nothing", "\(session)/1",
        ]
        for path in paths {
            let page = try await browser.get(path).body
            #expect(
                page.contains(
                    "<link rel=\"manifest\" href=\"/app.webmanifest\" crossorigin=\"use-credentials\">"
                ), "\(path)")
            #expect(page.contains("href=\"/files/icon.svg?"), "\(path)")
            #expect(page.ranges(of: "<meta name=\"theme-color\"").count == 2, "\(path)")
        }
    }

    @Test func aChosenThemeHasOneColour() async throws {
        try await browser.app.services.settings.change { $0.theme = .dark }
        let page = try await browser.get("/").body
        #expect(page.contains("<meta name=\"theme-color\" content=\"#111316\">"))
        #expect(page.ranges(of: "theme-color").count == 1)
    }

    /// The frame of the window has the colour of the page, in the light and in the dark.
    @Test func theColoursAreThoseOfTheStyle() async throws {
        let style = try await browser.get("/files/study.css").body
        #expect(style.contains("--page: light-dark(\(ThemeColor.light), \(ThemeColor.dark));"))
    }

    @Test func thePolicyAllowsTheOwnManifestAlone() async throws {
        let policy = try await browser.get("/").headers[.contentSecurityPolicy] ?? ""
        #expect(policy.contains("manifest-src 'self'") && policy.contains("default-src 'none'"))
    }
}
