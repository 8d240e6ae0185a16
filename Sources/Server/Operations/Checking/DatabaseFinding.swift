/// A fault of a database: the place, the problem, and the remedy.
///
/// Texts name accounts by number and tables by name; they contain no user's data and no secret.
///
/// ```swift
/// let finding = DatabaseFinding(
///     .digest, "account 7", "The digest of its records is wrong.", remedy: "Restore the last backup.")
/// print(finding.place, finding.problem, finding.remedy)
/// ```
package struct DatabaseFinding: Sendable, Hashable {
    /// The kind of fault; scripts may rely on the names.
    package enum Kind: String, Sendable, CaseIterable {
        /// The database is unreachable or rejects writes.
        case connection
        /// The login has too many rights or too few.
        case login
        /// A time limit of the login is missing.
        case timeouts
        /// The tables are of another version.
        case migration
        /// Row level security is off, or a policy differs.
        case policy
        /// A role has an excess right or lacks one.
        case grant
        /// A table, a column, a key or an index is missing or differs.
        case schema
        /// The file is damaged.
        case file
        /// A row refers to a missing row.
        case orphan
        /// The id of an account does not match its identity for policies.
        case identity
        /// Two accounts share a device.
        case device
        /// A record is unreadable.
        case record
        /// The digest of an account's records is wrong.
        case digest
        /// The size or number of an account's records is wrong.
        case recordTotals
        /// A record or a mark lies after the end of the account's log.
        case position
        /// Answers of a device are missing, or have numbers after its last one.
        case answers
        /// The number of an account's answers is wrong.
        case answerCount
        /// The sums of an account's answers are wrong.
        case statistics
        /// The sums of an account's sessions are wrong, as after an upgrade from a version without boards.
        case sessions
        /// The tables of content contradict each other.
        case content
    }

    /// The kind of fault.
    package var kind: Kind
    /// The account, table, role or file.
    package var place: String
    /// The fault in one sentence.
    package var problem: String
    /// The remedy.
    package var remedy: String

    package init(_ kind: Kind, _ place: String, _ problem: String, remedy: String) {
        self.kind = kind
        self.place = place
        self.problem = problem
        self.remedy = remedy
    }
}

/// The findings of a check, and the number of rows read.
package struct DatabaseCheckReport: Sendable, Hashable {
    /// The maximum number of listed findings; further ones are only counted.
    package static let findingsMax = 1_000

    /// The findings, at most `findingsMax`.
    package private(set) var findings: [DatabaseFinding] = []
    /// The number of findings, including those that are not listed.
    package private(set) var findingCount = 0
    /// The number of accounts read.
    package var accountCount = 0
    /// The number of records read.
    package var recordCount = 0
    /// The number of answers counted.
    package var answerCount = 0

    package init() {}

    /// Adds findings.
    package mutating func add(_ new: some Collection<DatabaseFinding>) {
        findingCount += new.count
        findings += new.prefix(Self.findingsMax - findings.count)
    }

    /// Adds a finding.
    package mutating func add(
        _ kind: DatabaseFinding.Kind, _ place: String, _ problem: String, remedy: String
    ) {
        add(CollectionOfOne(DatabaseFinding(kind, place, problem, remedy: remedy)))
    }
}
