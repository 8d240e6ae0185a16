extension DeviceMachine {
    /// Sends a request unless one is in flight, a wait is pending, or nothing is wanted.
    mutating func exchange(isWanted: Bool) -> [Effect] {
        guard isStarted, isWanted, inFlight == nil, waitsUntil == nil, !waitsForToken else {
            return []
        }
        let operations = operationsToSend()
        let counters = (settledBranch?.steps ?? state.outbox).lazy.map(\.operation.id.counter)
        let request = ExchangeRequest(
            number: state.nextRequest, user: state.user, client: nameInRequests,
            epoch: state.epoch, cursor: state.cursor, head: state.head,
            operations: operations,
            processedBefore: counters.min() ?? state.nextCounter, knownAnswers: state.answers,
            answers: state.isCopied
                ? []
                : state.answers.beyond(
                    state.answersOnServer, limit: max(1, Self.answersMax >> halvings)),
            isReadingAnew: state.isRecovering, isCopied: state.isCopied,
            wantsSums: state.wantsSums)
        state.nextRequest += 1
        for span in request.answers where span.client == state.client {
            state.lastAnswerSent = max(state.lastAnswerSent, span.last)
        }
        inFlight = request
        return [.send(request)]
    }

    private mutating func operationsToSend() -> [ChangeOperation] {
        if state.isCopied {
            let open = operationsToAskAbout
            return sent(open.prefix(batchCount(open)).map(\.request))
        }
        // While the log is read from its start, it is unknown what the pending changes had seen.
        let count = state.isRecovering ? 0 : batchCount(state.outbox)
        return sent(state.outbox.prefix(count).map(\.request))
    }

    /// Marks operations as sent: the server may have received them, so they no longer change.
    private mutating func sent(_ operations: [ChangeOperation]) -> [ChangeOperation] {
        let ids = Set(operations.map(\.id))
        for index in state.outbox.indices where ids.contains(state.outbox[index].operation.id) {
            state.outbox[index].wasSent = true
        }
        return operations
    }

    /// Counts the operations of the next request within its bounds of number and bytes; a group is
    /// never split, and the first unit is always sent.
    private func batchCount(_ outbox: [PendingChange]) -> Int {
        let operationsMax = max(1, Self.operationsMax >> halvings)
        let bytesMax = Self.operationBytesMax >> halvings
        var (count, bytes, wholeCount) = (0, 0, 0)
        for (index, pending) in outbox.enumerated() {
            bytes += WireSize.bytes(pending.operation)
            count = index + 1
            let next = count < outbox.count ? outbox[count].group : nil
            let isUnitEnd = pending.group == nil || pending.group != next
            guard wholeCount == 0 || (count <= operationsMax && bytes <= bytesMax) else { break }
            if isUnitEnd { wholeCount = count }
        }
        return wholeCount
    }

    mutating func failed(
        _ number: UInt64, _ failure: ExchangeFailure, _ jitter: Double, _ now: Int64
    ) -> [Effect] {
        guard let request = inFlight, request.number == number else { return [] }
        inFlight = nil
        switch failure {
        case .unauthorized:
            waitsForToken = true
            return [.renewToken]
        case .tooLong where canBeShorter(request) || isTooLong(request):
            return wasTooLong(request)
        case .server(let retryAfter):
            failureCount += 1
            return wait(jitter, atLeast: retryAfter ?? 0, now)
        case .offline, .tooLong:
            failureCount += 1
            return wait(jitter, atLeast: 0, now)
        }
    }

    /// Halves the bounds of a request; a single unit that is too long is rejected so that the
    /// others are sent.
    private mutating func wasTooLong(_ request: ExchangeRequest) -> [Effect] {
        guard !canBeShorter(request) else {
            halvings += 1
            return exchange(isWanted: true)
        }
        for operation in request.operations {
            state.outbox.removeAll { $0.operation.id == operation.id }
            state.rejected.append(.init(operation: operation, refusal: .tooLong))
        }
        return [.changed(Array(Set(request.operations.map(\.key))).sorted())]
            + exchange(isWanted: true)
    }

    /// Returns true if half of the request can be sent.
    private func canBeShorter(_ request: ExchangeRequest) -> Bool {
        let answers = request.answers.reduce(0) { $0 + $1.count }
        let groups = Set(request.operations.map { group(of: $0.id) })
        let isOneUnit = request.operations.count <= 1 || (groups.count == 1 && groups != [nil])
        return halvings < Self.halvingsMax && !(isOneUnit && answers <= 1)
    }

    /// Returns true if the device itself finds the operations too long.
    ///
    /// A server or a proxy may reject any request as too long.
    private func isTooLong(_ request: ExchangeRequest) -> Bool {
        request.operations.reduce(0) { $0 + WireSize.bytes($1) } > Self.operationBytesMax
    }

    /// The maximum number of halvings of a request: 14 reduce ten thousand to one.
    private static let halvingsMax = 14

    private func group(of id: OperationID) -> UInt64? {
        state.outbox.first { $0.operation.id == id }?.group
    }

    /// Waits for an exponential backoff: from one second, doubled with each failure up to
    /// `waitMillisecondsMax`, with jitter over the upper half.
    mutating func wait(_ jitter: Double, atLeast: Int64, _ now: Int64) -> [Effect] {
        let doublings = min(max(failureCount - 1, 0), 20)
        let full = min(1000 << Int64(doublings), Self.waitMillisecondsMax)
        let spread = Int64(Double(full) * (0.5 + 0.5 * min(max(jitter, 0), 1)))
        let time = now + max(spread, min(atLeast, Self.askedWaitMillisecondsMax))
        waitsUntil = time
        return [.wake(at: time)]
    }

    /// Backs off after a failure to obtain access; the next effect prepares it again.
    mutating func accessFailed(
        _ retryAfter: Int64?, _ jitter: Double, _ now: Int64
    ) -> [Effect] {
        isStarted = false
        inFlight = nil
        waitsForToken = false
        failureCount += 1
        return wait(jitter, atLeast: retryAfter ?? 0, now)
    }

    /// Returns true if a wait has ended, or the clock was set back by more than any wait.
    func isWaitOver(_ now: Int64) -> Bool {
        guard let time = waitsUntil else { return false }
        return now >= time || time - now > Self.askedWaitMillisecondsMax
    }

    var hasToSend: Bool {
        !state.outbox.isEmpty || !state.answers.beyond(state.answersOnServer, limit: 1).isEmpty
    }
}
