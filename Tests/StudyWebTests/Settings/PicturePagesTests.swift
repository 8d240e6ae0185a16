import Testing
import Underway
import UnderwayTesting

@testable import StudyWeb

/// The page of a picture, for a browser without script.
@Suite(.timeLimit(.minutes(1))) struct PicturePagesTests {
    @Test func onlyPicturesOfTheReleaseHaveAPage() async throws {
        let synced = try await SyncedBrowser()
        _ = try await synced.device.contentSync.files(
            .media(exam: "int/harbour"), purpose: .content)
        let sound = Checksum(of: Array("0123456789".utf8)).hex
        for path in [sound, Checksum(of: Array("other".utf8)).hex, "x", "..%2f..", "1"] {
            #expect(try await synced.browser.get("/picture/\(path)").status == 404, "\(path)")
        }
    }
}
