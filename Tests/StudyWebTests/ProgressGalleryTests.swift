import Foundation
import HTTPTypes
import Testing

@testable import StudyWeb

/// The progress page in some languages, to look at: written to the folder in `PROGRESS_GALLERY`.
@Suite struct ProgressGalleryTests {
    private static let path = ProcessInfo.processInfo.environment["PROGRESS_GALLERY"]

    @Test(.enabled(if: path != nil), arguments: ["en", "de", "ja", "ar"])
    func pagesAreWritten(language: String) async throws {
        let folder = URL(filePath: try #require(Self.path))
        let page = try await ProgressPageTests.Page(language, hasOther: language == "de")
        try Data(page.body.utf8).write(to: folder.appending(path: "progress-\(language).html"))
        let today = try await page.browser.get("/", [.acceptLanguage: language]).body
        try Data(today.utf8).write(to: folder.appending(path: "today-\(language).html"))
        let new = try StudyBrowser([ProgressPageTests.Page.rules()])
        let empty = try await new.get("/progress", [.acceptLanguage: language]).body
        try Data(empty.utf8).write(to: folder.appending(path: "empty-\(language).html"))
    }
}
