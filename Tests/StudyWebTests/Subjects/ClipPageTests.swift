import Testing
import Underway
import UnderwayTesting

@testable import StudyModel
@testable import StudyWeb

/// A question that plays a clip, on the pages that show the question.
@Suite(.timeLimit(.minutes(1))) struct ClipPageTests {
    private let synced: SyncedBrowser
    private let source = "/media/\(Checksum(of: ClipPageTests.clip).hex)"

    private static let clip = Array("tick tock".utf8)

    init() async throws {
        synced = try await SyncedBrowser { content in
            content.media["int/harbour"]?["tick.wav"] = Self.clip
            var question = Question.sampleSingleChoice
            question.audio = QuestionAudio(
                file: "tick.wav", title: "A <clock>", transcript: "Tick.\nTock.")
            content[blueprint: "int/harbour"]?.questions = [question]
        }
    }

    private func fetch() async throws {
        try await synced.working {
            _ = try await synced.browser.post("/library/int/harbour/files", [])
            await synced.ended(FileFetches.workName(.exam(region: "int", exam: "harbour")))
        }
        synced.network.isOffline = true
    }

    private func session() async throws -> String {
        let browser = synced.browser
        let begun = try await browser.post(
            "/session", [("bank", "int/harbour"), ("mode", "study")])
        return try #require(begun.location) + "/1"
    }

    @Test func theQuestionHasAPlayerWithTheAuthorsTitleThatNeverBeginsByItself() async throws {
        try await fetch()
        let page = try await synced.browser.get(session()).body
        #expect(page.contains(">A &lt;clock&gt;</bdi>"))
        #expect(
            page.contains(
                "<audio id=\"clip\" controls preload=\"none\" aria-labelledby=\"clip-title\""
                    + " src=\"\(source)\"></audio>"))
        #expect(!page.contains("autoplay"))
        #expect(try await synced.browser.get(source).body == "tick tock")
    }

    @Test func aClipThatIsNotHereSaysWhereToGetIt() async throws {
        let page = try await synced.browser.get(session()).body
        #expect(!page.contains("<audio"))
        #expect(page.contains("This audio is not on this device."))
        #expect(page.contains("href=\"/library/int/harbour#files\">Get audio</a>"))
        #expect(
            try await synced.browser.get("/library/int/harbour").body
                .contains("Pictures and audio</h2>"))
    }

    @Test func whatIsHeardComesAfterTheAnswerAlone() async throws {
        try await fetch()
        let path = try await session()
        #expect(!(try await synced.browser.get(path).body.contains("Tick.")))
        _ = try await synced.browser.post(path, [("question", "lights"), ("option", "a")])
        let checked = try await synced.browser.get(path).body
        #expect(checked.contains("What is heard") && checked.contains("<p>Tick.<br>Tock.</p>"))
        #expect(checked.contains("<audio id=\"clip\""))
        let question = try await synced.browser.get("/library/int/harbour?question=lights").body
        #expect(question.contains("<audio id=\"clip\"") && question.contains("What is heard"))
    }

    @Test func theListOfTheSubjectHasTheTitle() async throws {
        try await fetch()
        let page = try await synced.browser.get("/library/int/harbour").body
        #expect(page.contains("id=\"clip-1\">A &lt;clock&gt;</bdi>"))
        #expect(page.contains("src=\"\(source)\""))
    }
}
