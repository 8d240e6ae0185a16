/// A transaction in which corrections are followed, one process at a time.
package protocol RegradeTransaction {
    /// Reads how far corrections are applied; `nil` before the first.
    func state() throws -> RegradeState?
    /// Writes that.
    func set(_ state: RegradeState) throws
    /// Replaces the versions whose answers are graded again.
    func replaceCorrected(_ versions: [ServedCorrections.Version]) throws
    /// Returns the next accounts, in the order of numbers.
    func accounts(after member: Int64, atMost limit: Int) throws -> [Int64]
    /// Notes those of accounts that have answers to such a version; with `orGraded` those too over whose answers a grade
    /// is laid, which may hold no longer.
    func note(_ members: [Int64], orGraded: Bool) throws
}

/// An account whose answers are to be graded again.
package struct NotedRegrade: Sendable, Hashable {
    /// The number of the note.
    package var number: Int64
    /// The account's number.
    package var member: Int64

    package init(number: Int64, member: Int64) {
        self.number = number
        self.member = member
    }
}

/// The storage of grades that are laid over answers: what a database adapter implements.
package protocol RegradeStorage: Sendable {
    /// The most accounts that one step looks at.
    var accountsMax: Int { get }

    /// Runs a step in a transaction of its own.
    ///
    /// - Returns: The value of the body; `nil` when another process is at work.
    /// - Throws: What `body` throws, or `LedgerError`; nothing is written then.
    func step<Value: Sendable>(
        _ body: @escaping @Sendable (any RegradeTransaction) throws -> Value
    ) async throws -> Value?

    /// Returns the oldest notes of accounts whose answers are to be graded again.
    ///
    /// - Throws: `LedgerError`.
    func noted(atMost limit: Int) async throws -> [NotedRegrade]

    /// Grades an account's answers again, in one transaction that also removes the note and those before it of the
    /// account: lays grades over answers, never changes one, and notes the change for the boards.
    ///
    /// - Returns: The number of answers whose grade changed; `nil`, and nothing is changed, when the corrections are not
    ///   those that are applied now.
    /// - Throws: `LedgerError`.
    func regrade(_ note: NotedRegrade, _ corrections: ServedCorrections) async throws -> Int?

    /// Returns what grading an account's answers again would change; nothing is written.
    ///
    /// - Throws: `LedgerError`.
    func plan(
        of member: Int64, _ corrections: ServedCorrections
    ) async throws -> RegradePlan

    /// Returns those of the next accounts that have answers to a version of the corrections, or a grade that is laid over
    /// one.
    ///
    /// - Returns: The accounts, and the last that was looked at; `nil` behind all.
    /// - Throws: `LedgerError`.
    func candidates(
        after member: Int64, atMost limit: Int, _ corrections: ServedCorrections
    ) async throws -> (members: [Int64], last: Int64)?
}
