import Testing
import Underway
import UnderwayTesting

@testable import StudyModel
@testable import StudyWeb

@Suite(.timeLimit(.minutes(1))) struct ClipListTests {
    private let clip = Array("0123456789".utf8)
    private let words = StudyText(language: "en")

    @Test func aLanguagesSoundsPlayFromItsPageOnceFetchedAndWithoutAConnection() async throws {
        let synced = try await SyncedBrowser()
        let browser = synced.browser
        try await synced.working {
            #expect(!(try await browser.get("/library/en").body.contains("<audio")))
            _ = try await browser.post("/library/en/files", [])
            await synced.ended(FileFetches.workName(.placement(language: "en")))
        }
        synced.network.isOffline = true

        let page = try await browser.get("/library/en").body

        let source = "/media/\(Checksum(of: clip).hex)"
        #expect(page.contains("id=\"clip-1\">ahoy.mp3</bdi>"))
        #expect(
            page.contains(
                "<audio controls preload=\"none\" aria-labelledby=\"clip-1\" src=\"\(source)\">"))
        #expect(!page.contains("autoplay"))
        #expect(try await browser.get(source).body == String(decoding: clip, as: UTF8.self))
    }

    @Test func aFailedFetchSaysThatQuestionsWorkWithoutAudioAndOffersATry() async throws {
        let synced = try await SyncedBrowser()
        synced.network.isOffline = true
        try await synced.working {
            _ = try await synced.browser.post("/library/en/files", [])
            await synced.ended(FileFetches.workName(.placement(language: "en")))
        }

        let page = try await synced.browser.get("/library/en").body

        #expect(page.contains("Audio could not be fetched. Questions work without it."))
        #expect(page.contains(">Try again</button>"))
        #expect(!page.contains("<audio"))
    }

    @Test func manySoundsComeInPartsAndAFileThatIsNoSoundIsLeftOut() throws {
        let files = try subjectFiles((1...250).map { "\($0).mp3" } + ["notes.txt", "buoy.svg"])
        let first = try #require(ClipList(files, from: 0, words))
        let last = try #require(ClipList(files, from: 200, words))

        #expect(first.clips.count == 100)
        #expect(first.more?.href == "/library/en?clips=100#files")
        #expect(first.more?.title == "150 more")
        #expect(last.clips.count == 50 && last.more == nil)
        #expect(last.clips.first?.name == "201.mp3")
        #expect(ClipList(files, from: 250, words) == nil)
        #expect(ClipList(files, from: .min, words)?.clips.count == 100)
        #expect(ClipList(files, from: .max, words) == nil)
        #expect(ClipList(try subjectFiles([]), from: 0, words) == nil)
    }

    private func subjectFiles(_ names: [String]) throws -> SubjectFiles {
        let files = names.map {
            FileReference(name: $0, checksum: Checksum(of: Array($0.utf8)), size: 1)
        }
        return SubjectFiles(
            subject: Subject(language: "en"), kind: .audio, count: files.count, fetched: files,
            bytes: files.count, fetchedBytes: files.count, removableBytes: 0)
    }
}
