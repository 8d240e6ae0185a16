import Ledger
package import UserData

/// A comparison of an account's stored totals with its rows, read one by one.
///
/// It runs in constant memory.
package struct AccountAudit: Sendable {
    /// The stored totals.
    package struct Totals: Sendable, Hashable {
        /// The account's number.
        package var number: Int64
        /// The end of the log.
        package var position: Int64
        /// The digest of the records.
        package var digest: String
        /// The size of the records, in bytes.
        package var recordBytes: Int64
        /// The number of records by collection, including deleted ones; `nil` if it is not stored.
        package var collections: [String: Int]?
        /// The number of answers of all devices.
        package var answerCount: Int64

        package init(
            number: Int64, position: Int64, digest: String, recordBytes: Int64,
            collections: [String: Int]?, answerCount: Int64
        ) {
            self.number = number
            self.position = position
            self.digest = digest
            self.recordBytes = recordBytes
            self.collections = collections
            self.answerCount = answerCount
        }
    }

    /// The answers of one device.
    package struct Device: Sendable, Hashable {
        /// The device's number.
        package var number: Int64
        /// The number of its last answer.
        package var last: Int64
        /// The number of its stored answers.
        package var count: Int64
        /// The highest number of a stored answer; 0 without any.
        package var greatest: Int64
        /// The stored digest of the answers; `nil` if the next exchange computes it.
        package var digest: SetDigest?
        /// The digest computed from the answers.
        package var computed: SetDigest

        package init(
            number: Int64, last: Int64, count: Int64, greatest: Int64, digest: SetDigest?,
            computed: SetDigest
        ) {
            self.number = number
            self.last = last
            self.count = count
            self.greatest = greatest
            self.digest = digest
            self.computed = computed
        }
    }

    private let totals: Totals
    private let remedies: AccountRemedies
    private var digest = RecordDigest()
    private var bytes: Int64 = 0
    private var collections: [String: Int] = [:]
    private var unreadable = 0
    private var greatestPosition: Int64 = 0
    private var lastAnswers: Int64 = 0
    private var found: [DatabaseFinding] = []
    /// The number of records.
    package private(set) var recordCount = 0
    /// The number of answers.
    package private(set) var answerCount = 0

    package init(_ totals: Totals, _ database: AccountRemedies.Database) {
        self.totals = totals
        remedies = AccountRemedies(database: database, account: totals.number)
    }

    private var place: String { "account \(totals.number)" }

    /// Adds a record.
    package mutating func add(json: String, collection: String, position: Int64) {
        recordCount += 1
        bytes += Int64(json.utf8.count)
        collections[collection, default: 0] += 1
        greatestPosition = max(greatestPosition, position)
        guard let record = StoredJSON.readable(json) else { return unreadable += 1 }
        digest.add(record)
    }

    /// Adds the highest position of the marks.
    package mutating func add(mark position: Int64) {
        greatestPosition = max(greatestPosition, position)
    }

    /// Adds a device: compares its answers with its last one.
    package mutating func add(_ device: Device) {
        answerCount += Int(device.count)
        lastAnswers += device.last
        guard device.count != device.last || device.greatest != device.last else {
            return compareDigest(of: device)
        }
        found.append(
            DatabaseFinding(
                .answers, "\(place), device \(device.number)",
                "It has \(device.count) answers up to number \(device.greatest); its last one is"
                    + " number \(device.last).", remedy: remedies.restore))
    }

    private mutating func compareDigest(of device: Device) {
        guard let digest = device.digest, digest != device.computed else { return }
        found.append(
            DatabaseFinding(
                .digest, "\(place), device \(device.number)",
                "The digest of its answers is wrong.",
                remedy: remedies.recomputeDigest(ofDevice: device.number)))
    }

    /// Adds the number of rows that refer to missing rows.
    package mutating func add(orphans count: Int, in table: String) {
        guard count > 0 else { return }
        found.append(
            DatabaseFinding(
                .orphan, "\(place), table \(table)",
                "Rows that refer to others which do not exist: \(count).", remedy: remedies.restore)
        )
    }

    /// Adds the number of sums of answers that differ from the answers.
    package mutating func add(wrongSums count: Int) {
        guard count > 0 else { return }
        found.append(
            DatabaseFinding(
                .statistics, place, "Sums of its answers that are wrong: \(count).",
                remedy: remedies.recount))
    }

    /// Adds the number of banks whose sums of sessions differ from the answers.
    ///
    /// The sums of faulty answers are not a finding of their own.
    package mutating func add(wrongSessions count: Int) {
        guard count > 0, found.isEmpty else { return }
        found.append(
            DatabaseFinding(
                .sessions, place,
                "The sums of its sessions, from which boards are computed, are wrong.",
                remedy:
                    "Run `underway board recount`, which sums the sessions of all accounts anew; once"
                    + " after the upgrade from a version without boards."))
    }

    /// The findings about all added data.
    package var findings: [DatabaseFinding] { recordFindings + answerFindings + found }

    private var recordFindings: [DatabaseFinding] {
        var findings: [DatabaseFinding] = []
        func add(_ kind: DatabaseFinding.Kind, _ problem: String, _ remedy: String) {
            findings.append(DatabaseFinding(kind, place, problem, remedy: remedy))
        }
        if unreadable > 0 {
            add(
                .record, "Records that cannot be read: \(unreadable).",
                "None is needed: the next exchange of the account moves them aside, and a device that"
                    + " has them sends them again.")
        } else if digest.text != totals.digest {
            add(.digest, "The digest of its records is wrong.", remedies.recompute)
        }
        if bytes != totals.recordBytes {
            add(
                .recordTotals,
                "Its records have \(bytes) bytes; the account says \(totals.recordBytes).",
                remedies.recompute)
        }
        if let stored = totals.collections?.filter({ $0.value != 0 }), stored != collections {
            add(.recordTotals, "The numbers of records are wrong.", remedies.recompute)
        }
        if greatestPosition > totals.position {
            add(
                .position,
                "It has a record or a mark at position \(greatestPosition); its log ends at"
                    + " \(totals.position).", remedies.extend(to: greatestPosition))
        }
        return findings
    }

    private var answerFindings: [DatabaseFinding] {
        guard lastAnswers != totals.answerCount else { return [] }
        return [
            DatabaseFinding(
                .answerCount, place,
                "Its devices have \(lastAnswers) answers; the account says \(totals.answerCount).",
                remedy: remedies.countAnswers)
        ]
    }
}
