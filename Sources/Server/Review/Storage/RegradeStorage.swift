import Ledger
package import Tables

/// An account whose answers must be regraded.
package struct NotedRegrade: Sendable, Hashable {
    /// The number of the note.
    package var number: Int64
    /// The account's number.
    package var member: Int64
    /// The account's id; `nil` if it was deleted since.
    package var user: String?
}

/// The storage of regrades, for any number of processes.
package struct RegradeStorage: Sendable {
    private let database: any TableDatabase
    /// The maximum number of accounts in one step.
    package let accountsMax: Int

    /// Creates a storage over a database; exchanges wait for SQLite's writer while a step examines accounts.
    package init(_ database: any TableDatabase, accountsMax: Int) {
        (self.database, self.accountsMax) = (database, accountsMax)
    }

    // MARK: Corrections

    /// Adopts the corrections of a release, and notes those of the next accounts that have answers to a corrected
    /// version, or a stored regrade that may be obsolete.
    ///
    /// - Returns: True when more accounts are pending; `nil`, and nothing is written, if another process derives rows
    ///   now.
    /// - Throws: `StorageError`.
    package func follow(_ corrections: ServedCorrections) async throws -> Bool? {
        try await database.write(as: .keeper) { [accountsMax] transaction in
            let rows = try transaction.run([DerivedLock.taking(), Self.state()])
            if try rows[0].first?.value("taken") == false { return nil }
            let known = try rows[1].first.map(RegradeState.init)
            var state = RegradeState(known, following: corrections)
            var batch: [Bound] = []
            if let state, state.digest != known?.digest {
                batch = [Self.forgetting(), Self.correcting(["named": corrections.named])]
            }
            if let last = state?.sweptThrough {
                batch.append(DerivedAccounts.page(["member": last, "limit": accountsMax]))
                let members = try transaction.run(batch)[batch.count - 1].map {
                    try $0.value("number", as: Int64.self)
                }
                state?.sweptThrough = members.count < accountsMax ? nil : members.last
                batch = [RegradeNotes.noting(members, orGraded: true)]
            }
            if let state, state != known { batch.append(Self.setting(state)) }
            try transaction.commit(after: batch)
            return state?.sweptThrough != nil
        }
    }

    // MARK: Grades

    /// Returns the oldest notes of accounts whose answers must be regraded.
    ///
    /// - Throws: `StorageError`.
    package func noted(atMost limit: Int) async throws -> [NotedRegrade] {
        try await database.read(as: .keeper) { transaction in
            try transaction.commit(after: [Self.notes(["limit": limit])])[0].map {
                NotedRegrade(
                    number: try $0.value("number"), member: try $0.value("member"),
                    user: try $0.value("id"))
            }
        }
    }

    /// Regrades an account's answers in one transaction, which also removes this note and earlier ones of the account;
    /// it stores regrades beside the unchanged answers, and notes the change for the boards.
    ///
    /// - Returns: The number of answers with a changed grade; `nil`, and nothing is changed, if other corrections are
    ///   currently applied.
    /// - Throws: `StorageError`.
    package func regrade(
        _ note: NotedRegrade, _ corrections: ServedCorrections
    ) async throws -> Int? {
        do {
            guard let user = note.user else { throw StorageError.noAccount }
            return try await database.write(as: .user(user)) { transaction in
                let rows = try transaction.run([Self.state()] + Self.reading(corrections))
                guard try rows[0].first.map(RegradeState.init)?.digest == corrections.digest else {
                    return nil
                }
                let plan = try RegradePlan(rows.dropFirst(), corrections)
                try transaction.commit(
                    after: Self.writing(plan) + [Self.done(["number": note.number])])
                return plan.count
            }
        } catch StorageError.noAccount {
            // Deleted: there is nothing to grade.
            return try await database.write(as: .keeper) {
                try $0.commit(after: [Self.dropping(["member": note.member])])
                return 0
            }
        }
    }

    /// Returns the effect of regrading a user's answers; writes nothing.
    ///
    /// - Throws: `StorageError`.
    package func plan(
        of user: String, _ corrections: ServedCorrections
    ) async throws -> RegradePlan {
        do {
            return try await database.read(as: .user(user)) {
                try RegradePlan($0.commit(after: Self.reading(corrections))[...], corrections)
            }
        } catch StorageError.noAccount {
            return RegradePlan([], known: [], corrections)
        }
    }

    /// Returns those of the next accounts that have answers to a corrected version, or a stored regrade.
    ///
    /// - Returns: The ids of the accounts by number, and the last examined number; `nil` after the last account.
    /// - Throws: `StorageError`.
    package func candidates(
        after member: Int64, atMost limit: Int, _ corrections: ServedCorrections
    ) async throws -> (users: [Int64: String], last: Int64)? {
        try await database.read(as: .keeper) { transaction in
            let next: [String: any TableValue] = ["member": member, "limit": limit]
            let rows = try transaction.commit(after: [
                DerivedAccounts.page(next),
                Self.candidates(next.merging(["named": corrections.named]) { $1 }),
            ])
            guard let last = rows[0].last else { return nil }
            let users = try rows[1].map {
                (try $0.value("number", as: Int64.self), try $0.value("id", as: String.self))
            }
            return (Dictionary(uniqueKeysWithValues: users), try last.value("number"))
        }
    }
}
