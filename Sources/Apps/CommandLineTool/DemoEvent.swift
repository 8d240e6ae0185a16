import Foundation
import Ledger
import LiveEvents
import OfflineStorage
import SyncClient
import Tables
import UserData

/// The scene of a live event: learners submit while one of them watches, then the places are final.
struct DemoEvent {
    /// A folder for all devices.
    let root: URL
    /// The folder of the server's users.
    let users: URL
    let server: String
    let bank: String

    /// Plays the scene, with the accounts of the scene of the board.
    func play(now: Date = Date()) async throws {
        let path = users.appending(path: UserServiceOptions.databaseName).path
        let events = EventService(
            EventStorage(try UserDatabase(path: path)), ranking: MemoryRanking()
        ) { Date() }
        let end = now + 6
        try await events.set(
            EventDefinition(
                name: "sprint", title: "Spanish sprint", bank: bank, startsAt: now - 1, endsAt: end)
        )
        Console.say("underway event define sprint --bank \(bank) --start … --end …")
        let transport = HTTPTransport()
        defer { transport.close() }
        var pages = try account("Emmy", transport).watch("sprint").makeAsyncIterator()
        var seen = 0
        for (name, points) in [("Ada", 30), ("Grace", 45), ("Ada", 20)] {
            let receipt = try await account(name, transport).submit(
                points: points, id: "\(name)-\(points)", to: "sprint")
            Console.say(
                "\(name) submits \(points) points: \(receipt.result.rawValue), score \(receipt.score)"
            )
        }
        let repeated = try await account("Ada", transport).submit(
            points: 20, id: "Ada-20", to: "sprint")
        Console.say("the last one is sent again: \(repeated.result.rawValue)")
        while let page = try await pages.next() {
            seen += 1
            guard page.isFinal else { continue }
            Console.say(EventText(page).text)
            guard page.top.map(\.score) == [50, 45] else {
                throw SyncError(.serverError, "The event has other scores than were submitted.")
            }
        }
        Console.say(
            Console.styled(
                "Emmy watched it live: \(Console.count(seen, "page")), the last one final", .green))
    }

    private func account(_ name: String, _ transport: HTTPTransport) throws -> Account {
        let folder = root.appending(path: name)
        return Account(
            store: try UserStore(folder: folder),
            secrets: try FileSecretStore(folder: folder.appending(path: "secrets")),
            transport: transport, serverURL: try URL(address: server))
    }
}
