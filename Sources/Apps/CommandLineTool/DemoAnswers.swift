import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import SyncClient

/// The scene in which user data moves: from one device to the server and to another device.
struct DemoAnswers {
    /// A folder for both devices.
    let root: URL
    let server: String
    let bank: QuestionFilter.Bank
    let questions: [Question]

    /// Answers three questions with no network, then syncs a phone and a tablet.
    func play() async throws {
        let transport = HTTPTransport()
        defer { transport.close() }
        let (phone, tablet) = (try device("phone", transport), try device("tablet", transport))
        try study(on: phone.store)
        try phone.store.put(
            Favourite(bank: "es", note: "look at this again"), id: questions[0].id, now: Date())
        Console.say("phone: \(try phone.store.status().text)")
        // A password that nobody needs to know: the account is gone after the demo.
        let password = UUID().uuidString
        try await phone.account.upgrade(email: "learner@example.org", password: password)
        let sent = await phone.sync.sync()
        Console.say("phone: \(sent.text(try phone.store.status()))")
        try await tablet.account.signIn(
            email: "learner@example.org", password: password, bringing: .everything)
        let received = await tablet.sync.sync()
        Console.say(
            Console.styled("tablet: \(received.text(try tablet.store.status()))", .green))
        guard sent.problem == nil, received.problem == nil,
            try tablet.store.answers(of: bank) == phone.store.answers(of: bank)
        else { throw SyncError(.serverError, "The tablet does not have the phone's answers.") }
    }

    private struct Device {
        let store: UserStore
        let account: Account
        let sync: UserDataSync
    }

    private func device(_ name: String, _ transport: HTTPTransport) throws -> Device {
        let folder = root.appending(path: name)
        let store = try UserStore(folder: folder)
        let serverURL = try URL(address: server)
        let account = Account(
            store: store, secrets: try FileSecretStore(folder: folder.appending(path: "secrets")),
            transport: transport, serverURL: serverURL)
        return Device(
            store: store, account: account,
            sync: UserDataSync(
                store: store, account: account, transport: transport, serverURL: serverURL))
    }

    private func study(on store: UserStore) throws {
        var chance = SystemRandomNumberGenerator()
        var session = StudySession(
            id: UUID().uuidString.lowercased(), mode: .study,
            entries: questions.map { .init($0, contentVersion: "demo", exposuresBefore: 0) },
            now: Date(),
            using: &chance)
        for question in questions {
            try session.answer([question.options[0].id], to: question, now: Date())
            try store.save(session, of: bank, now: Date())
        }
    }
}
