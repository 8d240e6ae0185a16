import Boards
import ContentModel
import Foundation
import Ledger
import OfflineStorage
import QuestionEngine
import StudyModel
import SyncClient
import Tables
import UserData

/// The scene of the leaderboard: learners answer, the board is refreshed, and one of them looks at it, also without a
/// network.
struct DemoBoard {
    /// A folder for all devices.
    let root: URL
    /// The folder of the server's users.
    let users: URL
    let server: String
    let bank: QuestionFilter.Bank
    let questions: [Question]

    /// Plays the scene.
    func play(now: Date = Date()) async throws {
        let path = users.appending(path: UserServiceOptions.databaseName).path
        let boards = BoardService(
            BoardStorage(try UserDatabase(path: path), changesMax: 1_000)
        ) { Date() }
        try await boards.storage.set(BoardDefinition(name: "spanish", bank: bank.name))
        Console.say("underway board define spanish --bank \(bank.name)")
        let transport = HTTPTransport()
        defer { transport.close() }
        var learner: Account?
        for (name, right) in [("Ada", 2), ("Grace", 3), ("Emmy", 1)] {
            learner = try await answer(name, right, transport, now: now)
        }
        let report = try await boards.refresh()
        Console.say("refresh: \(Console.count(report?.places ?? 0, "place")) written")
        guard let seen = try await learner?.board("spanish", .week) else { return }
        Console.say(BoardText(BoardScreen(seen, obstacle: nil, now: Date()), seen.page).text)
        guard seen.page.own?.score == 10 else {
            throw SyncError(.serverError, "The board has another score than the answers give.")
        }
        // Port 9 of this machine, on which nothing listens.
        let offline = try account("Emmy", transport, server: "http://127.0.0.1:9")
        let remembered = try offline.store.seenBoard("spanish", .week)
        Console.say(
            Console.styled(
                "without a network the device shows rank \(remembered?.page.own?.rank ?? 0), and its age",
                .green))
    }

    private func account(
        _ name: String, _ transport: HTTPTransport, server: String
    ) throws -> (store: UserStore, account: Account) {
        let folder = root.appending(path: name)
        let store = try UserStore(folder: folder)
        let account = Account(
            store: store, secrets: try FileSecretStore(folder: folder.appending(path: "secrets")),
            transport: transport, serverURL: try URL(address: server))
        return (store, account)
    }

    /// Answers all questions on a device of a learner, some of them right, and sends them.
    private func answer(
        _ name: String, _ right: Int, _ transport: HTTPTransport, now: Date
    ) async throws -> Account {
        let (store, account) = try account(name, transport, server: server)
        var chance = SystemRandomNumberGenerator()
        var session = StudySession(
            id: UUID().uuidString.lowercased(), mode: .study,
            entries: questions.map { .init($0, contentVersion: "demo", exposuresBefore: 0) },
            now: now, using: &chance)
        for (place, question) in questions.enumerated() {
            let key = question.correctOptionIDs
            let wrong = question.options.map(\.id).filter { !key.contains($0) }.prefix(1)
            try session.answer(
                .options(Array(place < right ? key[...] : wrong)), to: question, now: now)
            try store.save(session, of: bank, now: now)
        }
        let report = await UserDataSync(
            store: store, account: account, transport: transport,
            serverURL: try URL(address: server)
        ).sync()
        if let problem = report.problem { throw SyncError(.serverError, problem) }
        try await account.setBoardProfile(name: name)
        return account
    }
}
