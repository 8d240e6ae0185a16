import ContentModel
import Foundation
import Ledger
import OfflineStorage
import QuestionEngine
import ServerApplication
import SyncClient
import TestSupport
import Testing
import Underway
import UserData

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
        let bundleFolder: URL? = fleet.folder.url.appending(path: "bundle")
        _ = try await Tool.run(
            ["bundle", fleet.folder.path + "/bundle", "--release", fleet.release])
        try fleet.edit(key: 1)
        try await withServer(fleet.release) { text in
            let address = try URL(address: text)
            // example: start
            let store = try await OfflineStore.open(at: support.appending(path: "content"))
            _ = try await store.perform { try $0.beginStart() }
            if let bundle = bundleFolder.map(ContentBundle.init(folder:)) {
                _ = try? await store.perform { try $0.installBundle(bundle) }
            }
            let test = try await store.perform { try $0.blueprint(.placement(language: "es")) }
            print(test.value.title, test.freshness.source, test.value.questions.count)
            // example: end

            // contentsync: start
            let sync = ContentSync(store: store, transport: HTTPTransport(), releaseURL: address)
            let report = await sync.sync()
            print(report.outcome, report.tally.bodyBytes)
            // contentsync: end
            #expect(test.freshness.source == .bundled)
            #expect(report.outcome == .installed(release: 2))
        }
        try DocumentedExample.expect("example", linesMax: 7)
        try DocumentedExample.expect("contentsync", linesMax: 4)
    }

    @Test func aStudySessionInAnApp() async throws {
        let fleet = try Fleet()
        let bundleFolder = fleet.folder.url.appending(path: "bundle")
        _ = try await Tool.run(["bundle", bundleFolder.path, "--release", fleet.release])
        let store = try await OfflineStore.open(at: fleet.folder.url.appending(path: "content"))
        try store.installBundle(ContentBundle(folder: bundleFolder))
        let bank = QuestionFilter.Bank.placement(language: "es")
        let folder = fleet.folder.url.appending(path: "content")
        do {
            // study: start
            let blueprint = try await store.perform { try $0.blueprint(bank).value }
            let userData = try await UserStore.open(at: folder)
            let scheduler = try ReviewScheduler(.rightOrWrong)
            let studied = try await userData.perform { try $0.schedules(of: bank, by: scheduler) }
            let cards = studied.mapValues {
                StudyPlan.Card(schedule: $0.schedule, answerCount: $0.answerCount)
            }
            let today = LearningClock().day(of: Date())
            let used = try await userData.perform { try $0.usage(on: today, in: bank) }
            var chance = SystemRandomNumberGenerator()
            let plan = StudyPlan(
                blueprint, StudyPlan.Request(mode: .study, cards: cards, used: used),
                scheduler: scheduler, now: Date(), using: &chance)
            var session = StudySession(
                id: UUID().uuidString, mode: .study, entries: plan.entries, now: Date(),
                using: &chance)
            func find(_ id: String) -> Question? { blueprint.questions.first { $0.id == id } }
            while let item = session.current, let question = find(item.questionID) {
                let grade = try session.answer(["a"], to: question, now: Date())
                try await userData.perform { [session] in try $0.save(session, of: bank) }
                print(grade.credit, grade.isCorrect, grade.explanation ?? "")
            }
            // study: end
        }
        let kept = try await UserStore.open(at: folder)
        #expect(try kept.answers(of: bank).count == 3)
        #expect(try kept.openSession(of: bank, mode: .study)?.current == nil)
        try DocumentedExample.expect("study", linesMax: 30)
    }

    @Test func whatAUserDoesReachesTheServer() async throws {
        let folder = try TemporaryFolder()
        let support = folder.url.appending(path: "device")
        let users = try await UserBackend(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"),
                collections: [CollectionRules(Goal.collection)]))
        try await withServer(folder.path + "/none", users: users) { address in
            let server = try URL(address: String(address.dropLast("/api/content/v2".count)))
            // userdata: start
            let userData = try await UserStore.open(at: support, collections: [Goal.collection])
            let goal = Goal(exam: "int/swift", minutesADay: 20)
            try await userData.perform { try $0.put(goal, id: "swift") }
            print(try await userData.perform { try $0.records(Goal.self) })
            // userdata: end

            // usersync: start
            let transport = HTTPTransport()
            let secrets = try FileSecretStore(folder: support.appending(path: "secrets"))
            let account = Account(
                store: userData, secrets: secrets, transport: transport, serverURL: server)
            let userDataSync = UserDataSync(
                store: userData, account: account, transport: transport, serverURL: server)
            let report = await userDataSync.sync()
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
