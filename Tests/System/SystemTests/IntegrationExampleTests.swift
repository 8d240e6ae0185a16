import ContentModel
import Foundation
import OfflineStorage
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
        let support = fleet.folder.url
        let bundleFolder = fleet.folder.url.appending(path: "bundle")
        _ = try await Tool.run(["bundle", bundleFolder.path, "--release", fleet.release])
        try fleet.edit(key: 1)
        try await withServer(fleet.release) { text in
            let address = try URL(address: text)
            // example: start
            let store = try OfflineStore(folder: support.appending(path: "content"))
            _ = try store.beginStart(now: Date())
            _ = try? store.installBundle(ContentBundle(folder: bundleFolder), now: Date())
            let test = try store.blueprint(.placement(language: "es"))
            print(test.value.title, test.freshness.source, test.value.questions.count)
            // example: end

            // contentsync: start
            let sync = ContentSync(store: store, transport: HTTPTransport(), baseURL: address)
            let report = await sync.run()
            print(report.outcome, report.tally.bodyBytes)
            // contentsync: end
            #expect(test.freshness.source == .bundled)
            #expect(report.outcome == .installed(release: 2))
        }
        try DocumentedExample.expect("example", linesMax: 6)
        try DocumentedExample.expect("contentsync", linesMax: 4)
    }

    @Test func aStudySessionInAnApp() async throws {
        let fleet = try Fleet()
        let bundleFolder = fleet.folder.url.appending(path: "bundle")
        _ = try await Tool.run(["bundle", bundleFolder.path, "--release", fleet.release])
        let store = try OfflineStore(folder: fleet.folder.url.appending(path: "content"))
        try store.installBundle(ContentBundle(folder: bundleFolder), now: Date())
        let bank = QuestionFilter.Bank.placement(language: "es")
        let folder = fleet.folder.url.appending(path: "content")
        do {
            // study: start
            let questions = try store.blueprint(bank).value.questions
            let userData = try UserStore(folder: folder)
            let scheduler = try ReviewScheduler(.rightOrWrong)
            let studied = try userData.schedules(of: bank, by: scheduler, now: Date())
            let schedules = questions.map { question in
                (id: question.id, schedule: studied[question.id]?.schedule ?? .new)
            }
            let due = Set(DueQueue(schedules, scheduler: scheduler, now: Date()).cards)
            var chance = SystemRandomNumberGenerator()
            var session = StudySession(
                id: UUID().uuidString, mode: .study,
                entries: questions.filter { due.contains($0.id) }.map {
                    .init($0, contentVersion: "\(Checksum(of: $0.json.canonicalBytes))")
                }, now: Date(), using: &chance)
            let grade = try session.answer(["a"], to: questions[0], now: Date())
            try userData.save(session, of: bank, now: Date())
            print(grade.credit, grade.isCorrect, grade.explanation ?? "")
            // study: end
        }
        let kept = try UserStore(folder: folder)
        #expect(try kept.answers(of: bank).count == 1)
        #expect(try kept.openSession(of: bank, mode: .study) != nil)
        try DocumentedExample.expect("study", linesMax: 20)
    }

    @Test func whatAUserDoesReachesTheServer() async throws {
        let folder = try TemporaryFolder()
        let support = folder.url.appending(path: "device")
        let users = try await AccountService(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"),
                collections: [CollectionRules(Goal.collection)]))
        try await withServer(folder.path + "/none", users: users) { address in
            let server = try URL(address: String(address.dropLast("/api/content/v2".count)))
            // userdata: start
            let userData = try UserStore(folder: support, collections: [Goal.collection])
            try userData.put(Goal(exam: "int/swift", minutesADay: 20), id: "swift", now: Date())
            print(try userData.records(Goal.self), try userData.status().waitingCount)
            // userdata: end

            // usersync: start
            let transport = HTTPTransport()
            let secrets = try FileSecretStore(folder: support.appending(path: "secrets"))
            let account = Account(
                store: userData, secrets: secrets, transport: transport, serverURL: server)
            let sync = UserDataSync(
                store: userData, account: account, transport: transport, serverURL: server)
            let report = await sync.sync()
            print(report.problem ?? "synced", report.conflictCount)
            // usersync: end
            #expect(report.problem == nil && report.pushed == 1)
            #expect(try userData.status().isSynced)
            transport.close()
        }
        try DocumentedExample.expect("userdata", linesMax: 4)
        try DocumentedExample.expect("usersync", linesMax: 10)
        try DocumentedExample.expect("goal", linesMax: 6)
    }
}
