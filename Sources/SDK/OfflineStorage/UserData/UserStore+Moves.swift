package import Foundation
import GRDB
package import UserData

/// The moves of accounts: an intent is stored before the request to the server, and removed last.
extension UserStore {
    private static let intentPrefix = "move of "
    private static let obstaclePrefix = "obstacle of "

    // MARK: Intents

    /// Stores the intent to move an account into another one; it replaces another intent for that account.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`; send no request then.
    package func intendMove(_ move: AccountMove) throws {
        try database.write { database in
            try Self.save(move, in: database)
            try Self.removeObstacle(of: move.source, in: database)
        }
    }

    /// Returns the moves that are not complete.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func intendedMoves() throws -> [AccountMove] {
        try database.read(Self.moves)
    }

    /// Removes the intent to move an account: the move is complete, or was abandoned.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func forgetMove(of source: String) throws {
        try database.write { try Self.removeMove(of: source, in: $0) }
    }

    static func moves(in database: Database) throws -> [AccountMove] {
        let rows = try String.fetchAll(
            database, sql: "SELECT value FROM setting WHERE name GLOB ? ORDER BY name",
            arguments: [intentPrefix + "*"])
        // An intent that cannot be read is none.
        return rows.compactMap {
            try? JSONDecoder().decode(AccountMove.self, from: Data($0.utf8))
        }
    }

    /// Returns true when a user's account moves, or another one moves into it.
    static func isMoving(_ user: String, in database: Database) throws -> Bool {
        try moves(in: database).contains { !$0.isDone && [$0.source, $0.target].contains(user) }
    }

    private static func save(_ move: AccountMove, in database: Database) throws {
        let json = String(decoding: try JSONEncoder().encode(move), as: UTF8.self)
        try set(intentPrefix + move.source, json, in: database)
    }

    private static func set(_ name: String, _ value: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
            arguments: [name, value])
    }

    static func removeMove(of source: String, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM setting WHERE name = ?", arguments: [intentPrefix + source])
    }

    // MARK: Obstacles

    /// Returns the code of the refusal that prevented joining a user's account with another one.
    static func obstacle(of user: String, in database: Database) throws -> String? {
        try String.fetchOne(
            database, sql: "SELECT value FROM setting WHERE name = ?",
            arguments: [obstaclePrefix + user])
    }

    static func removeObstacle(of user: String, in database: Database) throws {
        try database.execute(
            sql: "DELETE FROM setting WHERE name = ?", arguments: [obstaclePrefix + user])
    }

    // MARK: Ends

    /// Returns the state of a user's data; `nil` when there is none.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func state(of user: String) throws -> DeviceState? {
        let declarations = declarations
        return try database.read { database in
            try DeviceStateStorage(database: database, user: user).state(declarations)
        }
    }

    /// Ends a move that the server has completed: this device's data of the source becomes the target's.
    ///
    /// One transaction, which leaves the intent with `isDone`. It has no effect without the intent.
    /// - Parameters:
    ///   - move: The move.
    ///   - results: The results of the pending operations that the server has.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `storage` or `damaged`. Nothing has changed then.
    package func finish(
        _ move: AccountMove, results: [OperationID: OperationResult], now: Date
    ) throws {
        let milliseconds = Self.milliseconds(now)
        try end(move) { database in
            try take(move, results, milliseconds, in: database)
            var done = move
            done.isDone = true
            try Self.save(done, in: database)
        }
    }

    /// Ends a move that the server refuses: the target is entered without the source, which remains among the other
    /// users with the reason.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`. Nothing has changed then.
    package func giveUp(_ move: AccountMove, because code: String) throws {
        try end(move) { database in
            try Self.removeMove(of: move.source, in: database)
            try Self.set(Self.obstaclePrefix + move.source, code, in: database)
        }
    }

    /// Ends a move that no server can perform: this device copies its own data.
    ///
    /// - Parameters:
    ///   - move: The move.
    ///   - results: The results of the pending operations that the target has.
    ///   - now: The wall clock.
    /// - Throws: ``StoreError`` `storage` or `damaged`. Nothing has changed then.
    package func copy(
        _ move: AccountMove, results: [OperationID: OperationResult], now: Date
    ) throws {
        let milliseconds = Self.milliseconds(now)
        try end(move) { database in
            try bring(
                move.source, to: move.target, settled: Set(results.filter(\.value.isApplied).keys),
                milliseconds, in: database)
            var done = move
            done.isDone = true
            try Self.save(done, in: database)
        }
    }

    /// Ends a move in one transaction, in which the target becomes the user where the source was.
    private func end(_ move: AccountMove, _ body: (Database) throws -> Void) throws {
        try database.write { database in
            // Another process was first, or the user signed out.
            guard try Self.moves(in: database).contains(move) else { return }
            let isCurrent = try Self.currentUser(in: database) == move.source
            try body(database)
            if isCurrent { try Self.set("user", move.target, in: database) }
        }
        try reload()
        effects.send([])
    }

    /// Requests a sync from the runs under way, as after a step that delayed them.
    package func requestSync() { effects.send([]) }

    // MARK: Taking over

    private func take(
        _ move: AccountMove, _ results: [OperationID: OperationResult], _ milliseconds: Int64,
        in database: Database
    ) throws {
        let source = DeviceStateStorage(database: database, user: move.source)
        guard let known = try source.state(declarations) else { return }
        var leaving = DeviceMachine(known)
        leaving.leave(results: results, now: milliseconds)
        let (left, span) = leaving.state.detachedForImport()
        if let span {
            _ = try ResponseStorage(database: database, user: move.source).detach(span)
        }
        let target = DeviceStateStorage(database: database, user: move.target)
        if try target.version() == nil {
            try rename(move, left, milliseconds, in: database)
        } else {
            try join(move, left, milliseconds, in: database)
        }
    }

    /// Renames the rows of the source to those of a target that has none on this device.
    private func rename(
        _ move: AccountMove, _ left: DeviceState, _ milliseconds: Int64, in database: Database
    ) throws {
        try database.execute(
            sql: "UPDATE person SET user = ?, lastTry = NULL WHERE user = ?",
            arguments: [move.target, move.source])
        let storage = DeviceStateStorage(database: database, user: move.target)
        guard let before = try storage.state(declarations) else { return }
        var machine = DeviceMachine(
            DeviceState(
                user: move.target, client: DeviceName.client(makeID(), of: move.target),
                declarations: declarations))
        _ = machine.handle(.joined(left), now: milliseconds)
        try ResponseStorage(database: database, user: move.target).addDigests(to: &machine)
        let touched = machine.takeChangedBases()
            .union(before.bases.keys).union(before.recordsBeforeRebuild.keys)
        try storage.write(from: before, to: machine.state, touched: touched)
        try Self.removeSettings(of: move.source, in: database)
    }

    /// Merges the rows of the source into those of the target on this device.
    private func join(
        _ move: AccountMove, _ left: DeviceState, _ milliseconds: Int64, in database: Database
    ) throws {
        try add(move.source, to: move.target, .joined(left), milliseconds, in: database)
    }
}
