package import Foundation
import GRDB
import UserData

/// The detection of copied stores, as of a device that was restored from a backup.
extension UserStore {
    /// Returns the random name that this store shares with the device's secrets; `nil` before the first sync.
    package func mark() throws -> String? {
        try database.read { database in
            try String.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'mark'")
        }
    }

    /// Saves the mark; in a copied store every user's next request queries which changes the server knows.
    package func setMark(_ mark: String, isCopy: Bool, now: Date) throws {
        let milliseconds = Self.milliseconds(now)
        try database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('mark', ?)",
                arguments: [mark])
            guard isCopy else { return }
            for user in try String.fetchAll(database, sql: "SELECT user FROM person") {
                try noteCopy(of: user, milliseconds, in: database)
            }
        }
        if isCopy { try reload() }
    }

    /// Records that the server has detected another copy of a user's store: the next request queries which changes the
    /// server knows.
    package func noteCopy(of user: String, now: Date) throws {
        // The machine of the current user may be in the middle of an exchange.
        if user == self.user {
            return try post(.copyFound, now: now, extras: Extras(user: user))
        }
        let milliseconds = Self.milliseconds(now)
        try database.write { try noteCopy(of: user, milliseconds, in: $0) }
    }

    private func noteCopy(
        of user: String, _ milliseconds: Int64, in database: Database
    ) throws {
        let storage = DeviceStateStorage(database: database, user: user)
        guard let state = try storage.state(declarations) else { return }
        var machine = DeviceMachine(state)
        _ = machine.handle(.copyFound, now: milliseconds)
        try storage.write(from: state, to: machine.state, touched: machine.takeChangedBases())
    }
}
