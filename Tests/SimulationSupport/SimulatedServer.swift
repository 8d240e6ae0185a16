import Ledger
import ServiceAPI
package import UserData

/// The shipped ledger over tables in memory, one transaction per request; a mistake may be planted.
package struct SimulatedServer {
    /// The data of one user that the oracle examines.
    package struct Account {
        package var records: [RecordKey: UserRecord] = [:]
        /// The answers of each device by their content.
        package var given: [ClientID: [Int64]] = [:]
    }

    /// The server's clock, in milliseconds since 1970.
    package var now: Int64 = 1_800_000_000_000
    package var tables = MemoryTables()
    /// The operations that were written, with their log positions.
    package private(set) var places: [String: [OperationID: UInt64]] = [:]
    /// The times of the deletions that were purged.
    package internal(set) var purged: [String: [RecordKey: HybridTime]] = [:]
    /// The number of all assigned marks, also by the server that was lost.
    package var markCount = 0
    /// The answers that retractions name, by the content of each.
    package var targets: [Int64: AnswerID] = [:]
    package let declarations: [String: CollectionDeclaration]
    let mistake: Mistake?
    /// The accounts that no request finds.
    var closed: [String: Closed] = [:]
    private(set) var ledger: Ledger
    /// The rows that a careless engine commits after the next request.
    private var late: [(user: String, row: LogRow)] = []

    package init(declarations: [String: CollectionDeclaration], mistake: Mistake? = nil) {
        self.declarations = declarations
        self.mistake = mistake
        var ledger = Ledger(
            rules: declarations.values.map { CollectionRules($0) } + [.differences])
        // A small limit, so that short logs have pages.
        ledger.limits.recordsPerReplyMax = 7
        ledger.limits.answersPerReplyMax = 7
        if let mistake { ledger.judge = { mistake.judge($0, $1, $2) } }
        self.ledger = ledger
    }

    /// The latest accepted time; nothing on the server is later.
    var latest: HybridTime {
        HybridTime(milliseconds: now + HybridClock.aheadMillisecondsMax)
    }

    /// The current users.
    package var accounts: [String: Account] { tables.accounts.mapValues(Account.init) }

    /// Starts a new generation, as after a declared restore.
    package mutating func startGeneration() { tables.generation += 1 }

    /// Lowers the limits, so that short runs meet what else takes months.
    package mutating func rememberLittle() {
        ledger.limits.marksMax = 4
    }

    /// Purges all tombstones.
    package mutating func purge() {
        for (user, account) in tables.accounts {
            for row in account.records.values where row.deletedAt != nil {
                purged[user, default: [:]][row.record.key] = row.record.time
            }
        }
        _ = tables.purge(before: .max, limit: .max)
    }

    /// Deletes all users.
    package mutating func loseEverything() {
        tables.accounts = [:]
        places = [:]
    }

    // MARK: Exchanging

    /// Applies a request as one transaction, and replies after it.
    package mutating func exchange(
        _ request: ExchangeRequest, given: [[Int64]] = []
    ) -> (response: ExchangeResponse, given: [[Int64]]) {
        if tables.accounts[request.user] == nil {
            tables.accounts[request.user] = MemoryTables.Account()
        }
        let before = tables
        var call = ExchangeCall(
            request: request,
            answers: zip(request.answers, given).map { span, numbers in
                columns(span, numbers)
            })
        let requestDigest = RequestDigest(call)
        call.request = careless(request)
        var reply = transact(call, requestDigest: requestDigest)
        let late = late
        self.late = []
        reply.response.answerHashes = reply.answers.map(\.hashes)
        noteLate(request, before)
        spoil(&reply.response, request)
        if mistake == .answerBeforeRollback, request.number % 5 == 0 {
            tables = before
        } else {
            notePlaces(reply.response, request, before)
        }
        for (user, row) in late { tables.accounts[user]?.records[row.record.key] = row }
        return (reply.response, reply.answers.map { $0.rows.compactMap { $0?.milliseconds } })
    }

    /// Runs the shipped decision over the tables, and reads the answers that it names.
    private mutating func transact(_ call: ExchangeCall, requestDigest: RequestDigest)
        -> ExchangeReply
    {
        markCount += 1
        let (ledger, now, chance, mistake) = (ledger, now, "m\(markCount)", mistake)
        do {
            let outline = try tables.exchange(ledger.keys(of: call, now: now)) { snapshot in
                var snapshot = snapshot
                mistake?.spoil(&snapshot, call.request)
                return ledger.decide(
                    call, requestDigest: requestDigest, now: now, chance: chance, over: snapshot)
            }
            return outline.reply(
                try tables.answers(
                    outline.answers, of: call.request.user,
                    bytesMax: ServiceLimits.replyBytesMax))
        } catch {
            // The account was just created, and memory does not fail.
            preconditionFailure("\(error)")
        }
    }

    /// Records the operations that the request wrote with their positions: each position belongs to
    /// the first operation whose result has it.
    private mutating func notePlaces(
        _ response: ExchangeResponse, _ request: ExchangeRequest, _ before: MemoryTables
    ) {
        var known = before.accounts[request.user]?.totals.position ?? 0
        for operation in request.operations {
            if case .accepted(let record)? = response.results[operation.id],
                record.revision > known
            {
                known = record.revision
                places[request.user, default: [:]][operation.id] = known
            }
        }
    }

    /// The answers of a run as rows.
    func columns(_ span: AnswerSpan, _ numbers: [Int64]) -> AnswerColumns {
        AnswerColumns(span: span, rows: numbers.map(row))
    }

    /// Returns an answer of a content, or the retraction of another one.
    func row(_ number: Int64) -> AnswerRow {
        let answer = AnswerRow(
            bank: "b", session: "s", question: "q", isCorrect: true, takenMilliseconds: 1,
            exposuresBefore: 0, mode: "study", milliseconds: number,
            offsetMinutes: number % 4 == 0 ? nil : Int(number % 3) * 60)
        return targets[number].map {
            answer.retraction(of: $0, at: number, offsetMinutes: answer.offsetMinutes)
        } ?? answer
    }

    // MARK: Mistakes

    /// Hides from the ledger what an engine with the mistake ignores.
    private func careless(_ request: ExchangeRequest) -> ExchangeRequest {
        var careless = request
        switch mistake {
        case .timestampCursor:
            careless.cursor = 0
            careless.head = nil
        case .serverBackInTimeUnnoticed:
            let position = tables.accounts[request.user]?.totals.position ?? 0
            careless.cursor = min(request.cursor, position)
        case .copyGoesUnnoticed: careless.isCopied = false
        case .stepsNotSettled where request.isCopied:
            for index in careless.operations.indices { careless.operations[index].from = nil }
        default: break
        }
        return careless
    }

    /// Reverts the rows that a careless engine has assigned positions, but commits after the next
    /// request.
    private mutating func noteLate(_ request: ExchangeRequest, _ before: MemoryTables) {
        guard mistake == .lateCommits, request.number % 4 == 0, !request.operations.isEmpty,
            let account = tables.accounts[request.user]
        else { return }
        let known = before.accounts[request.user]
        for row in account.records.values where row.batch > known?.totals.position ?? 0 {
            late.append((request.user, row))
            tables.accounts[request.user]?.records[row.record.key] =
                known?.records[row.record.key]
        }
    }

    private func spoil(_ response: inout ExchangeResponse, _ request: ExchangeRequest) {
        switch mistake {
        case .lateCommits: response.digest = nil
        case .serverBackInTimeUnnoticed:
            if response.epoch == request.epoch ?? response.epoch {
                response.cursor = max(response.cursor, request.cursor)
            }
        case .timestampCursor where !response.isDeviceStale:
            if response.epoch == request.epoch ?? response.epoch {
                pageByTime(&response, request)
            }
        default: break
        }
    }

    private func pageByTime(_ response: inout ExchangeResponse, _ request: ExchangeRequest) {
        func position(_ record: UserRecord) -> UInt64 { UInt64(max(0, record.time.milliseconds)) }
        let changed = (accounts[request.user]?.records ?? [:]).values
            .filter { position($0) > request.cursor }
            .sorted { (position($0), $0.key) < (position($1), $1.key) }
        response.changes = Array(changed.prefix(ledger.limits.recordsPerReplyMax))
        response.hasMore = response.changes.count < changed.count
        response.cursor = response.changes.last.map(position) ?? request.cursor
        response.head = nil
        response.digest = nil
    }

    /// Removes a record with its counts.
    mutating func drop(_ key: RecordKey, of user: String) {
        guard let row = tables.accounts[user]?.records.removeValue(forKey: key) else { return }
        tables.accounts[user]?.totals.digest.remove(row.record)
        tables.accounts[user]?.totals.recordBytes -= row.json.utf8.count
    }
}

extension SimulatedServer.Account {
    fileprivate init(_ account: MemoryTables.Account) {
        records = account.records.mapValues(\.record)
        for device in account.devices where !device.answers.isEmpty {
            given[device.client] = device.answers.compactMap { $0?.milliseconds }
        }
    }
}

extension Mistake {
    /// Removes from the snapshot what an engine with the mistake does not compare.
    fileprivate func spoil(_ snapshot: inout LedgerSnapshot, _ request: ExchangeRequest) {
        switch self {
        case .serverBackInTimeUnnoticed: snapshot.namedMark = request.head?.mark
        case .incrementReplayed: snapshot.results = [:]
        case .waitingRetractionForgotten: snapshot.retractions.stored.removeAll { !$0.holds }
        case .takenBackTwice: snapshot.retractions.stored.removeAll(where: \.holds)
        case .settledNameGoesOn where snapshot.device?.requestNumber ?? 0 > 1 << 53:
            snapshot.device?.requestNumber = 0
            snapshot.device?.isRetired = false
        case .copyGoesUnnoticed:
            let seenAt = snapshot.device?.lastSeenAt
            snapshot.device = seenAt.map { _ in LedgerDevice(client: request.client) }
            snapshot.device?.lastSeenAt = seenAt ?? 0
            snapshot.answers = [:]
            snapshot.results = snapshot.results.mapValues {
                var result = $0
                result.hash.removeAll()
                return result
            }
        default: break
        }
    }
}
