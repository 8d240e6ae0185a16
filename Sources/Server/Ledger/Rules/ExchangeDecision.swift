import ServiceAPI
import UserData

/// The decision on one exchange: whether the request continues the device's and the account's
/// history, and then what becomes of its operations and answers.
struct ExchangeDecision {
    let call: ExchangeCall
    let requestDigest: RequestDigest
    /// A text that nobody used before.
    let chance: String
    var account: AccountDecision

    var request: ExchangeRequest { call.request }
    var snapshot: LedgerSnapshot { account.snapshot }

    /// Applies the request, and says what came of it.
    mutating func outline() -> ExchangeOutline {
        if account.totals.epoch.isEmpty { account.totals.epoch = chance }
        let epoch = account.epoch
        var response = ExchangeResponse(number: request.number, epoch: epoch)
        let device = snapshot.device
        let hasGoneBack = device.map { isStale($0, epoch) } ?? false
        if request.isCopied || hasGoneBack { return settledOutline(response) }
        let place = place()
        if request.epoch ?? epoch == epoch, place == .unknown {
            // A device knows another past: the server was restored, and nobody said so.
            account.totals.epoch = chance
            response.epoch = account.epoch
        }
        response.isTooOld = place == .tooOld
        let isForeign = request.epoch ?? response.epoch != response.epoch
        if isForeign || place != .known {
            if let device, device.wasSeen { note(device, epoch) }
            response.head = account.head
            response.knownAnswers = held
            return ExchangeOutline(response: response)
        }
        if device?.wasSeen != true { account.makeRoomForDevice() }
        note(device ?? LedgerDevice(client: request.client), epoch)
        return outline(response)
    }

    /// Applies what a device sent, and chooses what it lacks.
    private mutating func outline(_ response: ExchangeResponse) -> ExchangeOutline {
        var response = response
        response.results = results()
        account.mark(chance)
        let (request, known) = (self.request, account.ledger.limits.processedResultsMax)
        account.changes.resultsBefore =
            account.changes.device?.process(request, recognising: known) ?? 0
        var held = held
        response.isFull = take(call.answers, &held)
        page(&response)
        response.head = account.head
        response.knownAnswers = held
        let limit = account.ledger.limits.answersPerReplyMax
        let spans = held.beyond(request.knownAnswers, limit: limit)
        let missing = held.beyond(request.knownAnswers, limit: limit + 1)
        if missing.reduce(0, { $0 + $1.count }) > limit { response.hasMore = true }
        let digests = digests
        response.answersDigest = digests.values.joined
        if request.wantsSums { response.sums = digests }
        return ExchangeOutline(response: response, answers: spans)
    }

    /// Notes a request that continued from the earlier ones.
    private mutating func note(_ device: LedgerDevice, _ epoch: String) {
        var device = device
        device.note(request, hash: requestDigest.request, epoch: epoch)
        device.lastSeenAt = max(device.lastSeenAt, account.now)
        account.changes.device = device
    }

    // MARK: The history

    private enum Place {
        case known
        case tooOld
        case unknown
    }

    /// Compares a device's cursor and head with the account's history.
    private func place() -> Place {
        if request.cursor > snapshot.account.position { return .unknown }
        if let head = request.head, snapshot.namedMark != head.mark {
            // Only so many marks are kept; a device that knows none of them reads the log anew. While none
            // was dropped, a position without a mark is another history's.
            guard snapshot.markCount >= account.ledger.limits.marksMax,
                head.position < snapshot.oldestMark
            else { return .unknown }
            return request.isReadingAnew ? .known : .tooOld
        }
        let isBehind = request.cursor > 0 && request.cursor < snapshot.account.purgedThrough
        return isBehind && !request.isReadingAnew ? .tooOld : .known
    }

    // MARK: Devices that went back

    private func isStale(_ device: LedgerDevice, _ epoch: String) -> Bool {
        guard device.isContinued(by: request, hash: requestDigest.request, epoch: epoch)
        else {
            return true
        }
        let hasOtherOperation = request.operations.contains { operation in
            let counter = operation.id.counter
            return snapshot.results[counter].map { !$0.isOn(requestDigest.operations[counter]) }
                ?? false
        }
        return hasOtherOperation || call.answers.contains { isContradiction($0) }
    }

    /// Returns true when the device sends another answer under a number that it used before.
    private func isContradiction(_ columns: AnswerColumns) -> Bool {
        guard columns.span.client == request.client,
            let stored = snapshot.answers[columns.span.first]
        else { return false }
        return zip(stored, columns.rows).contains { one, other in
            // What one side could not take says nothing.
            if let one, let other { one != other } else { false }
        }
    }
}
