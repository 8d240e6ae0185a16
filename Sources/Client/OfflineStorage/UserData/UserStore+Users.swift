import ContentModel
public import Foundation
import GRDB
import ServiceAPI
import UserData

/// What becomes of the data that was made on this device before another user signs in.
public enum Bringing: Sendable, Hashable {
    /// It goes over to the account that signs in; what contradicts it goes to the conflict inbox.
    case everything
    /// It stays on the device, apart; `UserStore.otherUsers` names it.
    case nothing
}

/// A user whose data lies on this device while another's is shown.
public struct OtherUser: Sendable, Hashable {
    /// The account's id; `UserStore.localUser` for data that never had one.
    public var user: String
    /// Records that can be shown.
    public var recordCount: Int
    /// Answers, of all of the user's devices.
    public var answerCount: Int
    /// Changes and answers that the server does not have.
    public var waitingCount: Int
}

extension UserStore {
    /// Shows a user's data from now on.
    ///
    /// One transaction: a crash leaves either user, with everything. Bringing the same data twice
    /// changes nothing the second time.
    /// - Parameters:
    ///   - user: The account's id.
    ///   - bringing: What becomes of the present user's data.
    ///   - expected: Whose data the caller believes to be shown; `nil` for anybody's.
    ///   - now: The wall clock.
    /// - Throws: `StoreError` `outdated` when another process signed somebody else in meanwhile; or an
    ///   error of the database. The user is the former one then.
    public func switchUser(
        to user: String, bringing: Bringing, from expected: String? = nil, now: Date
    ) throws {
        let milliseconds = max(0, Int64(now.timeIntervalSince1970 * 1000))
        try database.write { database in
            let former = try Self.currentUser(in: database)
            guard former != user else { return }
            guard expected ?? former == former else {
                throw StoreError(.outdated, "Somebody else signed in on this device meanwhile.")
            }
            if bringing == .everything {
                try bring(former, to: user, milliseconds, in: database)
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('user', ?)",
                arguments: [user])
        }
        try reload()
        effects.send([])
    }

    /// Takes the data of another user of this device over to the present one.
    ///
    /// - Parameters:
    ///   - other: One of `otherUsers`.
    ///   - now: The wall clock.
    /// - Throws: `StoreError` `notFound` when nothing of that user is here; or an error of the
    ///   database. Nothing has changed then.
    public func bring(from other: String, now: Date) throws {
        let milliseconds = max(0, Int64(now.timeIntervalSince1970 * 1000))
        try database.write { database in
            let user = try Self.currentUser(in: database)
            guard other != user,
                try DeviceStateStorage(database: database, user: other).version() != nil
            else { throw StoreError(.notFound, "There is no data of another user of that name.") }
            try bring(other, to: user, milliseconds, in: database)
        }
        try reload()
        effects.send([])
    }

    private func bring(
        _ former: String, to user: String, _ milliseconds: Int64, in database: Database
    ) throws {
        let source = DeviceStateStorage(database: database, user: former)
        let target = DeviceStateStorage(database: database, user: user)
        if former == Self.localUser, try target.version() == nil {
            // Nobody else knows this data yet: it becomes the account's as it is.
            return try database.execute(
                sql: "UPDATE person SET user = ? WHERE user = ?", arguments: [user, former])
        }
        guard let known = try source.state(declarations) else { return }
        let (brought, span) = known.detachedForImport()
        if let span { try ResponseStorage(database: database, user: former).detach(span) }
        var running = try Self.running(user, declarations, makeID, in: database)
        let before = running.machine.state
        _ = running.machine.handle(.imported(brought), now: milliseconds)
        try target.write(
            from: before, to: running.machine.state, touched: running.machine.takeChangedBases())
        try ResponseStorage(database: database, user: user).move(from: former)
        try database.execute(
            sql: "UPDATE OR IGNORE session SET user = ? WHERE user = ?", arguments: [user, former])
        try database.execute(sql: "DELETE FROM person WHERE user = ?", arguments: [former])
    }

    /// The users whose data lies on this device beside the present one's.
    ///
    /// - Throws: An error of the database.
    public func otherUsers() throws -> [OtherUser] {
        let declarations = declarations
        return try database.read { database in
            let current = try Self.currentUser(in: database)
            let users = try String.fetchAll(
                database, sql: "SELECT user FROM person WHERE user <> ? ORDER BY user",
                arguments: [current])
            return try users.compactMap { user in
                let keeper = DeviceStateStorage(database: database, user: user)
                guard let state = try keeper.state(declarations) else { return nil }
                let other = OtherUser(
                    user: user, recordCount: state.shownKeys.count,
                    answerCount: Int(state.answers.total) + state.detachedCount,
                    waitingCount: state.waitingCount)
                return other.isEmpty ? nil : other
            }
        }
    }

    /// Removes the data of another user from this device.
    ///
    /// - Parameters:
    ///   - user: One of `otherUsers`.
    ///   - lossIsAccepted: True when what was not sent may be lost.
    /// - Throws: `StoreError` `refused` for the present user, `notFound` when there is no such data,
    ///   `unsent` when something would be lost; or an error of the database.
    public func erase(user: String, lossIsAccepted: Bool = false) throws {
        let other = try otherUsers().first { $0.user == user }
        if other == nil, user != self.user {
            throw StoreError(.notFound, "There is no data of another user of that name.")
        }
        let waitingCount = other?.waitingCount ?? 0
        guard waitingCount == 0 || lossIsAccepted else {
            throw StoreError(
                .unsent,
                "\(waitingCount) changes and answers of this user were not sent. Take them along or"
                    + " export them first, or accept that they are lost.")
        }
        try database.write { database in
            guard try Self.currentUser(in: database) != user else {
                throw StoreError(.refused, "This user's data is shown now. Sign out first.")
            }
            try database.execute(sql: "DELETE FROM person WHERE user = ?", arguments: [user])
        }
    }

    /// True when something of the present user could be taken along to another account.
    ///
    /// - Throws: An error of the database.
    public func hasData() throws -> Bool {
        let state = try state()
        return !state.shownKeys.isEmpty || state.answers.total > 0 || state.detachedCount > 0
    }

    /// Everything of a user that lies on this device, as JSON: records as they are shown, and answers
    /// in columns as `docs/sync.md` describes them.
    ///
    /// - Parameter user: The present user, or one of `otherUsers`.
    /// - Returns: One JSON object in UTF-8.
    /// - Throws: `StoreError` `notFound`; or an error of the database.
    public func export(user: String) throws -> Data {
        let declarations = declarations
        let json: JSONValue = try database.read { database in
            guard
                let state = try DeviceStateStorage(database: database, user: user).state(
                    declarations)
            else { throw StoreError(.notFound, "There is no data of that user on this device.") }
            let keeper = ResponseStorage(database: database, user: user)
            let spans = state.answers.beyond(AnswerVector())
            return [
                "user": .string(user),
                "records": .array(
                    state.shownKeys.compactMap { state.current($0) }.map(RecordWire.json)),
                "answers": .array(try spans.map { try keeper.columns($0).json }),
                "unnumberedAnswers": .array(try keeper.detachedColumns().map(\.json)),
            ]
        }
        return Data(json.canonicalBytes)
    }

    /// The random name that this store and the device's secrets have in common; `nil` before the first
    /// sync.
    package func mark() throws -> String? {
        try database.read { database in
            try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'mark'")
        }
    }

    /// Keeps the mark; of a copy, every user's next request asks what the server knows of it.
    package func setMark(_ mark: String, isCopy: Bool, now: Date) throws {
        let milliseconds = max(0, Int64(now.timeIntervalSince1970 * 1000))
        try database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('mark', ?)",
                arguments: [mark])
            guard isCopy else { return }
            for user in try String.fetchAll(database, sql: "SELECT user FROM person") {
                let keeper = DeviceStateStorage(database: database, user: user)
                guard let state = try keeper.state(declarations) else { continue }
                var machine = DeviceMachine(state)
                _ = machine.handle(.copyFound, now: milliseconds)
                try keeper.write(
                    from: state, to: machine.state, touched: machine.takeChangedBases())
            }
        }
        if isCopy { try reload() }
    }

    /// Remembers that the present user can sign in elsewhere, by an email or another identity.
    package func noteWayIn() throws {
        try database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, 'known')",
                arguments: ["way in of \(try Self.currentUser(in: database))"])
        }
    }

    /// True when nobody could reach the present user's account without this device.
    private func isOnlyWayToData() throws -> Bool {
        let isKnown = try database.read { database in
            let user = try Self.currentUser(in: database)
            guard user != Self.localUser else { return true }
            return try String.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = ?",
                arguments: ["way in of \(user)"]) != nil
        }
        return try !isKnown && hasData()
    }

    /// Shows nobody's data from now on.
    ///
    /// - Parameters:
    ///   - erasing: True removes the user's data from this device; what was not sent is lost.
    ///   - lossIsAccepted: True when that is known.
    /// - Throws: `StoreError` `unsent` when `erasing` would lose something and `lossIsAccepted` is
    ///   false.
    public func signOut(erasing: Bool, lossIsAccepted: Bool = false) throws {
        let status = try status()
        let isLoss = status.waitingCount + status.conflictCount + status.rejectedCount > 0
        if erasing, !lossIsAccepted, isLoss {
            throw StoreError(
                .unsent,
                "\(status.waitingCount) changes were not sent, \(status.conflictCount) conflicts"
                    + " wait and \(status.rejectedCount) changes were refused by the server."
                    + " Sync and resolve them first, or accept that they are lost.")
        }
        if erasing, !lossIsAccepted, try isOnlyWayToData() {
            throw StoreError(
                .unsent,
                "The account has no email and no other way in: what it has could not be reached again,"
                    + " not on the server either. Give it an email first, or accept that it is lost."
            )
        }
        try database.write { database in
            if erasing {
                try database.execute(
                    sql: "DELETE FROM person WHERE user = ?",
                    arguments: [try Self.currentUser(in: database)])
            }
            try database.execute(sql: "DELETE FROM setting WHERE name = 'user'")
        }
        try reload()
        effects.send([])
    }
}

extension OtherUser {
    fileprivate var isEmpty: Bool { recordCount + answerCount + waitingCount == 0 }
}
