import ContentModel
import Foundation
import HTTPTransport
import OfflineStore
import QuestionEngine
import SyncClient
import TestSupport
import Testing
import UserData
import UserService

// goal: start
struct Goal: CollectionRecord {
    static let collection = CollectionDeclaration(
        "goals", .fieldMerge, fields: ["exam", "minutesADay"])
    var exam: String
    var minutesADay: Int
}
// goal: end

@Suite struct IntegrationExampleTests {
    /// The lines of docs/app-developers.md, compiled and run.
    @Test func tenLinesBringContentIntoAnApp() async throws {
        let fleet = try Fleet()
        let documents = fleet.folder.url
        let bundleFolder = fleet.folder.url.appending(path: "bundle")
        _ = try Tool.run(["bundle", bundleFolder.path, "--release", fleet.release])
        try fleet.edit(key: 1)
        try await withServer(fleet.release) { address in
            // example: start
            let store = try OfflineStore(folder: documents.appending(path: "content"))
            _ = try store.beginStart(now: Date())
            try store.installBundle(ContentBundle(folder: bundleFolder), now: Date())
            let test = try store.blueprint(.placement(language: "es"))
            print(test.value.title, test.freshness.source, test.value.questions.count)
            try store.confirmStart()

            let sync = ContentSync(store: store, transport: HTTPTransport(), baseURL: address)
            let report = await sync.run()
            print(report.outcome, report.tally.bodyBytes)
            // example: end
            #expect(test.freshness.source == .bundled)
            #expect(report.outcome == .installed(release: 2))
        }
        try expectOnThePage("example", linesMax: 10)
    }

    @Test func aStudySessionInAnApp() async throws {
        let fleet = try Fleet()
        let bundleFolder = fleet.folder.url.appending(path: "bundle")
        _ = try Tool.run(["bundle", bundleFolder.path, "--release", fleet.release])
        let store = try OfflineStore(folder: fleet.folder.url.appending(path: "content"))
        try store.installBundle(ContentBundle(folder: bundleFolder), now: Date())
        let bank = QuestionFilter.Bank.placement(language: "es")
        let folder = fleet.folder.url.appending(path: "content")
        do {
            // study: start
            let questions = try store.blueprint(bank).value.questions
            let userData = try UserStore(folder: folder)
            let history = Dictionary(grouping: try userData.answers(of: bank), by: \.questionID)
            let scheduler = try ReviewScheduler(.rightOrWrong)
            let schedules = questions.map { question in
                let reviews = (history[question.id] ?? []).map(\.review)
                return (id: question.id, schedule: scheduler.replay(reviews, now: Date()))
            }
            let due = Set(DueQueue(schedules, scheduler: scheduler, now: Date()).cards)
            var chance = SystemRandomNumberGenerator()
            var session = StudySession(
                id: UUID().uuidString, mode: .study,
                entries: questions.filter { due.contains($0.id) }.map {
                    .init($0, contentVersion: "\(Checksum(of: $0.json.canonicalBytes))")
                }, now: Date(), using: &chance)
            let grade = try session.answer(["a"], to: questions[0], now: Date())
            try userData.keep(session, of: bank, now: Date())
            print(grade.credit, grade.isCorrect, grade.explanation ?? "")
            // study: end
        }
        let kept = try UserStore(folder: folder)
        #expect(try kept.answers(of: bank).count == 1)
        #expect(try kept.openSession(of: bank, mode: .study) != nil)
        try expectOnThePage("study", linesMax: 20)
    }

    @Test func anAnnouncementIsShownOnceInTheUsersLanguage() async throws {
        let fleet = try Fleet()
        try fleet.folder.write(
            """
            identifier: 1
            type: website
            link: https://underway.example/news
            texts:
              en: { title: News, content: There is more to learn., buttons: { open: Read on } }
              de: { title: Neues, content: Es gibt mehr zu lernen., buttons: { open: Weiterlesen } }
            """, to: "content/announcements/news.yaml")
        try fleet.publish()
        let bundleFolder = fleet.folder.url.appending(path: "bundle")
        _ = try Tool.run(["bundle", bundleFolder.path, "--release", fleet.release])
        let store = try OfflineStore(folder: fleet.folder.url.appending(path: "device"))
        try store.installBundle(ContentBundle(folder: bundleFolder), now: Date())
        let userData = try UserStore(folder: fleet.folder.url.appending(path: "device"))
        var shown: [String] = []
        for _ in 0..<2 {
            // announcement: start
            let center = AnnouncementCenter(content: store, userData: userData)
            let moment = AnnouncementMoment(appVersion: "1.4", languages: ["de-AT"], now: Date())
            if let news = try center.current(moment) {
                shown.append("\(news.text.title) \(news.action)")
                try center.markSeen(news, now: Date())
            }
            // announcement: end
        }
        #expect(shown == ["Neues open(\"https://underway.example/news\")"])
        try expectOnThePage("announcement", linesMax: 10)
        var busy = AnnouncementMoment(appVersion: "1.4", languages: ["en"], now: Date())
        busy.isInSession = true
        let other = try UserStore(folder: fleet.folder.url.appending(path: "other"))
        #expect(try AnnouncementCenter(content: store, userData: other).current(busy) == nil)
        busy.isInSession = false
        let found = try AnnouncementCenter(content: store, userData: other).current(busy)
        #expect(found?.text.title == "News")
    }

    @Test func whatAUserDoesReachesTheServer() async throws {
        let folder = try TemporaryFolder()
        let documents = folder.url.appending(path: "device")
        let users = try await UserDesk(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"),
                collections: [CollectionRules(Goal.collection)]))
        try await withServer(folder.path + "/none", users: users) { address in
            let server = String(address.prefix { $0 != "?" }.dropLast("/api/content/v2".count))
            // userdata: start
            let userData = try UserStore(folder: documents, collections: [Goal.collection])
            try userData.put(Goal(exam: "int/swift", minutesADay: 20), id: "swift", now: Date())
            print(try userData.records(Goal.self), try userData.status().waitingCount)

            let transport = HTTPTransport()
            let secrets = try FileSecretStore(folder: documents.appending(path: "secrets"))
            let account = Account(
                store: userData, secrets: secrets, transport: transport, serverURL: server)
            let sync = UserDataSync(
                store: userData, account: account, transport: transport, serverURL: server)
            let report = await sync.sync()
            print(report.problem ?? "synced", try userData.conflicts().count)
            // userdata: end
            #expect(report.problem == nil && report.pushed == 1)
            #expect(try userData.status().isSynced)
            transport.close()
        }
        try expectOnThePage("userdata", linesMax: 14)
        #expect(
            try String(contentsOf: root.appending(path: "docs/app-developers.md"), encoding: .utf8)
                .contains(try exampleLines("goal", indent: 0)))
    }

    /// The lines between two marks stand in the page, word for word.
    private func expectOnThePage(_ mark: String, linesMax: Int) throws {
        let page = try String(
            contentsOf: root.appending(path: "docs/app-developers.md"), encoding: .utf8)
        let example = try exampleLines(mark)
        #expect(page.contains(example), "docs/app-developers.md does not show:\n\(example)")
        #expect(example.split(separator: "\n").count <= linesMax)
    }

    private var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../..").standardizedFileURL
    }

    private func exampleLines(_ mark: String, indent: Int = 12) throws -> String {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasSuffix("// \(mark): start") })
        let end = try #require(lines.firstIndex { $0.hasSuffix("// \(mark): end") })
        return lines[start + 1..<end].map {
            String($0.hasPrefix(String(repeating: " ", count: indent)) ? $0.dropFirst(indent) : $0)
        }
        .joined(separator: "\n")
    }
}
