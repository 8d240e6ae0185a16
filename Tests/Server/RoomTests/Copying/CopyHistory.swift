import ContentModel
import Foundation
import GRDB
import Operations
import PostgresDriver
import ServiceAPI
import Synchronization
import TestSupport
import UserData

@testable import Accounts
@testable import Boards
@testable import Ledger
@testable import LiveEvents
@testable import ServerApplication
@testable import Tables

/// A server's folder of users with a random history, made through the service as devices make it.
final class CopyHistory: Sendable {
    let folder: TemporaryFolder
    let seed: UInt64
    private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
    private let random: Mutex<SeededGenerator>
    /// Every device that is signed in to an account that is there.
    let devices = Mutex<[Device]>([])

    /// A device as far as a server knows one.
    struct Device: Sendable {
        var tokens: SessionTokens
        var client: ClientID
        var number: UInt64 = 0
        var counter: UInt64 = 0
        var answered: UInt64 = 0
        var reply: ExchangeResponse?
        /// The last request, which may come again.
        var call: ExchangeCall?
    }

    init(seed: UInt64) throws {
        folder = try TemporaryFolder()
        self.seed = seed
        random = Mutex(SeededGenerator(seed: seed))
    }

    var now: Date { time.withLock { $0 } }

    func advance(days: Double) { time.withLock { $0 += days * 86_400 } }

    private func chance(_ range: Range<Int>) -> Int {
        random.withLock { Int.random(in: range, using: &$0) }
    }

    private var options: UserServiceOptions {
        UserServiceOptions(
            folder: folder.url, collections: ServiceFixture.rules, passwordRounds: 1 << 10)
    }

    /// Opens the service on the folder.
    func service() async throws -> UserBackend {
        try await UserBackend(options, clock: { self.now })
    }

    /// Opens the service on a database, with the folder of this server.
    func service(on pool: PostgresPool) async throws -> UserBackend {
        try await UserBackend(pool, options, clock: { self.now })
    }

    // MARK: History

    /// Makes accounts with everything that an account can have; the service is closed at the end.
    func make(accounts: Int = 4, rounds: Int = 25) async throws {
        try UserDatabase(path: folder.path + "/users.sqlite").startGeneration(now: now)
        let users = try await service()
        for number in 0..<accounts { try await open(number, users) }
        try await users.boards?.storage.set(BoardDefinition(name: "b", bank: "es"))
        for (place, device) in devices.withLock({ $0 }).enumerated() {
            _ = try await users.setBoardProfile(
                BoardProfileChange(name: place == 0 ? nil : "Ada", isListed: place != 1),
                of: device.tokens.user)
        }
        try await compete(users)
        try await operate(users)
        for _ in 0..<rounds { try await step(users) }
        // Tombstones from before this are gone, and the position of the last of them is remembered.
        for _ in 0..<2 {
            advance(days: 100)
            for place in devices.withLock({ $0.indices }) {
                try await renew(place, users)
                _ = try await exchange(place, users)
            }
        }
        _ = try await users.purge()
        for _ in 0..<rounds { try await step(users) }
        try await end(users)
        try await damage()
    }

    /// Gives a role, takes another, and notes what devices have once they synced.
    private func operate(_ users: UserBackend) async throws {
        for place in devices.withLock({ $0.indices }) { _ = try await exchange(place, users) }
        for (place, device) in devices.withLock({ $0 }).enumerated() {
            let user = device.tokens.user
            try await users.uptake?.note(
                InstalledContent(release: place, obstacle: place == 1 ? .storage : nil), of: user,
                client: device.client)
            for isGranted in [true, place % 2 == 0] {
                _ = try await users.administration?.set(
                    .publisher, isGranted: isGranted, of: user, by: "operator:ä b")
            }
        }
    }

    /// Plays two events, of which one is over.
    private func compete(_ users: UserBackend) async throws {
        guard let events = users.events else { return }
        var follower = EventFollower(events)
        for name in ["over", "running"] {
            try await events.set(
                EventDefinition(name: name, bank: "es", startsAt: now, endsAt: now + 3600))
            for (place, device) in devices.withLock({ $0 }).enumerated() {
                _ = try await events.submit(
                    EventSubmission(id: "s-\(place)", points: place), to: name,
                    of: device.tokens.user)
            }
            if name == "over" { advance(days: 1) }
            try await follower.step(now: now)
        }
    }

    private func open(_ number: Int, _ users: UserBackend) async throws {
        let tokens = try await users.makeAnonymousAccount(address: "a\(number)")
        var all = [tokens]
        if number % 2 == 0 {
            let caller = try await users.authentication.authenticatedUser(
                "Bearer " + tokens.accessToken)
            let email = "Ada\(number)@Example.org"
            try await users.upgrade(
                caller, email: email, password: "correct horse \(number)", address: "a")
            all.append(
                try await users.signIn(
                    email: email, password: "correct horse \(number)", address: "b"))
            let id = tokens.user
            let code = AccountReadSet.Code(
                hash: Data(repeating: UInt8(number), count: 32), purpose: .resetPassword)
            _ = try await users.accounts.storage.change(AccountReadSet(.id(id))) { _ in
                AccountOutcome(
                    [
                        .signIn(
                            .addCode(
                                code, StoredCode(email: "ä@example.org", expiresAt: 1_900_000_000),
                                to: id))
                    ], reply: ())
            }
        } else {
            let caller = try await users.authentication.authenticatedUser(
                "Bearer " + tokens.accessToken)
            _ = try await users.accounts.link(
                ExternalIdentity(issuer: "https://issuer.example", subject: "sub \"\(number)\""),
                to: tokens.user, keeping: caller.session, now: now)
        }
        devices.withLock { devices in
            devices += all.enumerated().map { place, tokens in
                Device(tokens: tokens, client: ClientID("device-\(place)-of-\(number)"))
            }
        }
    }

    /// Renews the tokens of a device, as an app does after a pause.
    func renew(_ place: Int, _ users: UserBackend) async throws {
        let device = devices.withLock { $0[place] }
        let tokens = try await users.refresh(device.tokens.refreshToken, address: "a")
        devices.withLock { $0[place].tokens = tokens }
    }

    private func step(_ users: UserBackend) async throws {
        let place = chance(0..<devices.withLock { $0.count })
        let operations = (0..<chance(0..<4)).map { _ in operation(place) }
        let rows = (0..<[0, 0, 1, 12][chance(0..<4)]).map { _ in row() }
        _ = try await exchange(place, users, operations, rows + undos(of: rows, at: place))
        if chance(0..<6) == 0 { try await renew(place, users) }
        advance(days: Double(chance(0..<3)) / 4)
    }

    /// Sends a request of a device that goes on from its last reply.
    func exchange(
        _ place: Int, _ users: UserBackend, _ operations: [ChangeOperation] = [],
        _ rows: [AnswerRow?] = []
    ) async throws -> ExchangeResponse {
        var device = devices.withLock { $0[place] }
        device.number += 1
        let spans =
            rows.isEmpty
            ? []
            : [AnswerSpan(client: device.client, first: device.answered + 1, count: rows.count)]
        device.answered += UInt64(rows.count)
        let request = ExchangeRequest(
            number: device.number, user: device.tokens.user, client: device.client,
            epoch: device.reply?.epoch, cursor: device.reply?.cursor ?? 0,
            head: device.reply?.head, operations: operations,
            processedBefore: (operations.first?.id.counter ?? device.counter + 1) - 1,
            knownAnswers: AnswerVector(
                device.answered > 0 ? [device.client: device.answered] : [:]), answers: spans)
        let call = ExchangeCall(
            request: request, answers: spans.map { AnswerColumns(span: $0, rows: rows) })
        // Through the wire, which judges what it carries.
        let response = try await users.exchange(
            ExchangeCall(call.json.canonicalBytes), of: device.tokens.user
        ).response
        (device.reply, device.call) = (response, call)
        devices.withLock { $0[place] = device }
        return response
    }

    // MARK: Values

    func operation(_ place: Int) -> ChangeOperation {
        let (collection, id) = [
            ("exams", "e\(chance(0..<4))"), ("notes", "n-\(chance(0..<5))"),
            ("profile", "me"), ("favourites", "f\(chance(0..<3))"),
        ][chance(0..<4)]
        let change: Change =
            if chance(0..<5) == 0 && collection != "notes" {
                .delete
            } else if collection == "profile" {
                .put(["name": .text(["Ada", "漢字", "\"\\"][chance(0..<3)]), "age": .integer(30)])
            } else {
                .put(["n": .integer(Int64(chance(0..<9))), "text": .text("tab\t, line\n, ü")])
            }
        let now = Int64(self.now.timeIntervalSince1970 * 1000)
        return devices.withLock { devices in
            devices[place].counter += 1
            return ChangeOperation(
                id: OperationID(client: devices[place].client, counter: devices[place].counter),
                key: RecordKey(collection, id), change: change,
                seenRevision: UInt64(devices[place].number % 3),
                time: HybridTime(milliseconds: now))
        }
    }

    func row() -> AnswerRow? {
        if chance(0..<12) == 0 { return nil }
        let question = chance(0..<15)
        let isCorrect = chance(0..<2) == 0
        return AnswerRow(
            bank: ["int/swift", "es"][chance(0..<2)], session: "s\(chance(0..<4))",
            question: "q\(question)", domain: [nil, "net", "d\(question % 3)"][chance(0..<3)],
            version: ["", "v1", "v2"][chance(0..<3)],
            options: [[], ["b"], ["a", "c"], ["quote \" and \\", "ü"], ["#numeric", "3.5"]][
                chance(0..<5)],
            isCorrect: isCorrect, credit: [nil, 1.0 / 3, -0.25, 1][chance(0..<4)],
            rating: [nil, 1, 4][chance(0..<3)], takenMilliseconds: Int64(chance(0..<700_000)),
            exposuresBefore: Int64(chance(0..<1_000_000)), mode: ["study", "exam"][chance(0..<2)],
            isRandomlySelected: chance(0..<2) == 0,
            milliseconds: 1_700_000_000_000 + Int64(chance(0..<90)) * 80_000_000,
            offsetMinutes: [nil, 345, -1_080, 1_080][chance(0..<4)])
    }

    /// Returns retractions of some answers that a device is about to send, and of one that it does not have.
    private func undos(of rows: [AnswerRow?], at place: Int) -> [AnswerRow] {
        let (client, first) = devices.withLock { ($0[place].client, $0[place].answered + 1) }
        return rows.enumerated().compactMap { offset, row in
            guard let row, chance(0..<4) == 0 else { return nil }
            let id = AnswerID(
                client: client, number: first + UInt64(offset) + (chance(0..<9) == 0 ? 999 : 0))
            return row.retraction(
                of: id, at: row.milliseconds + Int64(chance(0..<90_000_000)), offsetMinutes: nil)
        }
    }

    // MARK: Ends

    /// Deletes an account, ends a session, retires a device.
    private func end(_ users: UserBackend) async throws {
        let gone = devices.withLock { $0[$0.count - 1] }
        // As a server does that is killed before it erases the rows.
        try await users.accounts.markDeleted(gone.tokens.user, now: now)
        devices.withLock { $0.removeAll { $0.tokens.user == gone.tokens.user } }
        let last = devices.withLock { $0.count - 1 }
        let lost = devices.withLock { $0[last] }
        try await users.revoke(lost.tokens.refreshToken)
        try await users.forgetDevice(lost.client.text, of: lost.tokens.user)
        devices.withLock { _ = $0.remove(at: last) }
    }

    /// Puts a record aside, as the repair of an account does.
    private func damage() async throws {
        try await DatabaseQueue(path: folder.path + "/users.sqlite").write { database in
            try database.execute(
                sql: """
                    INSERT INTO damaged_record (account, collection, id, position, found_at, json)
                    SELECT min(number), 'exams', 'gone', 1000000, 5, '{"cut' FROM account
                    """)
        }
    }
}
