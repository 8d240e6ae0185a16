import ContentModel
import ServiceAPI
import UserData

/// The data of one account: a log of records, the answers of each device, and the results of operations.
///
/// It uses the shipped `MergeRules`. Unlike the real server it has no quotas in bytes, splits no reply into pages of
/// records, never forgets deleted records, and trusts the clocks of devices.
struct SyncAccount: Sendable {
    /// A result that is repeated to a device that sends its operation again.
    enum Verdict: Sendable {
        case accepted(revision: UInt64)
        case merged
        case conflict
        case refused(Refusal)

        var isApplied: Bool {
            switch self {
            case .accepted, .merged: true
            case .conflict, .refused: false
            }
        }

        var isRefusal: Bool { if case .refused = self { true } else { false } }
    }

    /// A device of the account.
    struct Device: Sendable {
        /// The last request that continued from the earlier ones.
        fileprivate var lastRequest: ExchangeRequest?
        var verdicts: [UInt64: Verdict] = [:]
        /// The contents of the operations of these results, to distinguish repetitions of a number.
        var contents: [UInt64: JSONValue] = [:]
        /// The answers by their number, from 1; `nil` for one that could not be read.
        fileprivate(set) var answers: [AnswerRow?] = []
        /// The digest of the answers.
        fileprivate(set) var digest = SetDigest()
        /// True when the user removed the device from the account.
        var isRetired = false
        /// True once steps of the name were resolved: every device that uses the name must then leave it.
        var isClosed = false
    }

    /// The name of the account's history; another one after a restore.
    var epoch: String
    private(set) var records: [RecordKey: UserRecord] = [:]
    var devices: [ClientID: Device] = [:]
    private(set) var position: UInt64 = 0
    /// The mark of each end that the log had.
    private var marks: [UInt64: String] = [:]

    init(epoch: String) { self.epoch = epoch }

    private var head: LogHead? {
        marks[position].map { LogHead(position: position, mark: $0) }
    }

    private var knownAnswers: AnswerVector {
        AnswerVector(devices.mapValues { UInt64($0.answers.count) })
    }

    // MARK: Exchanges

    /// Replies to a request.
    ///
    /// - Parameters:
    ///   - call: The request, whose user was compared with the token.
    ///   - rules: The collections by name.
    ///   - mark: A unique text.
    /// - Returns: The reply with its answers.
    mutating func exchange(
        _ call: ExchangeCall, rules: [String: CollectionRules], mark: String
    ) -> ExchangeReply {
        let request = call.request
        var response = ExchangeResponse(number: request.number, epoch: epoch)
        if request.isCopied || isStale(request) {
            let before = position
            response.isDeviceStale = true
            response.results = settledResults(of: request, rules: rules)
            if position > before { marks[position] = mark }
        } else if continues(request) {
            return applied(call, to: response, rules: rules, mark: mark)
        }
        response.head = head
        response.knownAnswers = knownAnswers
        return ExchangeReply(response: response, answers: [])
    }

    private mutating func applied(
        _ call: ExchangeCall, to response: ExchangeResponse, rules: [String: CollectionRules],
        mark: String
    ) -> ExchangeReply {
        let request = call.request
        var (response, before) = (response, position)
        devices[request.client, default: Device()].lastRequest = request
        response.results = call.unreadable.mapValues { .refused($0) }
        for operation in request.operations {
            response.results[operation.id] = result(of: operation, rules: rules)
        }
        if position > before { marks[position] = mark }
        for run in call.answers { add(run) }
        before = request.cursor
        let accepted = response.results.values.compactMap(\.acceptedRevision)
        response.changes = records.values
            .filter { $0.revision > before && !accepted.contains($0.revision) }
            .sorted { $0.revision < $1.revision }
        response.cursor = max(request.cursor, position)
        response.digest = RecordDigest(records.values)
        response.head = head
        response.knownAnswers = knownAnswers
        return withAnswers(
            response, beyond: request.knownAnswers, wantsSums: request.wantsSums)
    }

    private func withAnswers(
        _ response: ExchangeResponse, beyond known: AnswerVector, wantsSums: Bool
    ) -> ExchangeReply {
        var response = response
        let limit = ServiceLimits.answersPerReplyMax
        let digests = devices.filter { !$0.value.answers.isEmpty }.mapValues(\.digest)
        if wantsSums { response.sums = digests }
        response.answers = knownAnswers.beyond(known, limit: limit)
        let missing = knownAnswers.beyond(known, limit: limit + 1)
        response.hasMore = missing.reduce(0) { $0 + $1.count } > limit
        if response.hasMore {
            response.digest = nil
        } else {
            response.answersDigest = digests.values.joined
        }
        let columns = response.answers.map { span in
            let rows = devices[span.client]?.answers ?? []
            let first = Int(span.first) - 1
            return AnswerColumns(span: span, rows: Array(rows[first..<first + span.count]))
        }
        return ExchangeReply(response: response, answers: columns)
    }

    /// Records the mark of the log's end.
    mutating func mark(_ text: String) { marks[position] = text }

    /// Appends a record to the log.
    mutating func commit(_ record: UserRecord) {
        position += 1
        records[record.key] = record.committed(at: position)
    }

    /// Appends answers to those of a device.
    mutating func add(_ answers: [AnswerRow?], to client: ClientID) {
        guard !answers.isEmpty else { return }
        let first = UInt64(devices[client]?.answers.count ?? 0) + 1
        let span = AnswerSpan(client: client, first: first, count: answers.count)
        add(AnswerColumns(span: span, rows: answers))
    }

    /// Adds the results of a device of an account that moves into this one.
    mutating func takeResults(of device: Device, _ client: ClientID) {
        devices[client, default: Device()].verdicts.merge(device.verdicts) { known, _ in known }
        devices[client]?.contents.merge(device.contents) { known, _ in known }
    }

    /// Adds the new answers of a run; a run after a gap waits until the gap is filled.
    private mutating func add(_ run: AnswerColumns) {
        let known = devices[run.span.client]?.answers.count ?? 0
        guard run.span.first <= known + 1, run.span.last > known else { return }
        let new = run.suffix(Int(run.span.last) - known)
        devices[run.span.client, default: Device()].answers += new.rows
        devices[run.span.client]?.digest.add(new.digest)
    }

    // MARK: History

    /// Returns true when a request does not continue from the device's last one, as after the device was
    /// restored from a backup.
    private func isStale(_ request: ExchangeRequest) -> Bool {
        guard let device = devices[request.client] else { return false }
        if device.isRetired || device.isClosed { return true }
        guard let last = device.lastRequest, request.epoch == last.epoch else { return false }
        if request.number == last.number { return request != last }
        let isOther = request.operations.contains { operation in
            device.contents[operation.id.counter].map { $0 != OperationWire.content(operation) }
                ?? false
        }
        return isOther || request.number < last.number
            || Int(request.knownAnswers[request.client]) < device.answers.count
    }

    /// Returns true when a device has this history and no later state of it.
    private func continues(_ request: ExchangeRequest) -> Bool {
        (request.epoch ?? epoch) == epoch && request.cursor <= position
            && request.head.map { marks[$0.position] == $0.mark } ?? true
    }

    // MARK: Operations

    private mutating func result(
        of operation: ChangeOperation, rules: [String: CollectionRules]
    ) -> OperationResult {
        let (client, counter) = (operation.id.client, operation.id.counter)
        if let known = devices[client]?.verdicts[counter] { return repeated(known, operation.key) }
        let result = apply(operation, rules: rules)
        devices[client, default: Device()].verdicts[counter] = Verdict(result)
        devices[client]?.contents[counter] = OperationWire.content(operation)
        return result
    }

    mutating func apply(
        _ operation: ChangeOperation, rules: [String: CollectionRules]
    ) -> OperationResult {
        guard let rules = rules[operation.key.collection] else {
            return .refused(.unknownCollection)
        }
        let known = records[operation.key]
        let verdict = MergeRules.judge(
            operation, on: known, policy: rules.declaration.policy)
        switch verdict {
        case .write(let new, _): return write(new, over: known, rules)
        case .writePart(let new):
            let result = write(new, over: known, rules)
            guard case .accepted(let record) = result else { return result }
            return .merged(record)
        case .alreadyApplied(let record): return .accepted(record)
        case .superseded(let record): return .merged(record)
        case .conflict(let record): return .conflict(theirs: record)
        case .refuse(let refusal): return .refused(refusal)
        }
    }

    private mutating func write(
        _ new: UserRecord, over known: UserRecord?, _ rules: CollectionRules
    ) -> OperationResult {
        let shown = known?.isDeleted == true ? nil : known?.values
        guard new.isDeleted || rules.accepts(new.values, over: shown) else {
            return .refused(.badField)
        }
        if known == nil, isFull(rules) { return .refused(.quota) }
        position += 1
        let committed = new.committed(at: position)
        records[new.key] = committed
        return .accepted(committed)
    }

    private func isFull(_ rules: CollectionRules) -> Bool {
        records.keys.count { $0.collection == rules.declaration.name } >= rules.recordsMax
    }

    /// Returns the result of a repeated operation, with the record as it is now.
    func repeated(_ verdict: Verdict, _ key: RecordKey) -> OperationResult {
        if case .refused(let refusal) = verdict { return .refused(refusal) }
        guard let record = records[key] else { return .retryLater }
        switch verdict {
        case .accepted(let revision):
            return record.revision == revision ? .accepted(record) : .merged(record)
        case .merged: return .merged(record)
        case .conflict: return .conflict(theirs: record)
        case .refused(let refusal): return .refused(refusal)
        }
    }
}

extension SyncAccount.Verdict {
    /// Creates the verdict of a result; `nil` for one that is not final.
    init?(_ result: OperationResult) {
        switch result {
        case .accepted(let record): self = .accepted(revision: record.revision)
        case .merged: self = .merged
        case .conflict: self = .conflict
        case .refused(let refusal): self = .refused(refusal)
        case .retryLater: return nil
        }
    }
}

extension OperationResult {
    fileprivate var acceptedRevision: UInt64? {
        if case .accepted(let record) = self { record.revision } else { nil }
    }
}
