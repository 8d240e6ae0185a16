extension DeviceMachine {
    mutating func replied(_ response: ExchangeResponse, _ now: Int64) -> [Effect] {
        // A duplicate reply, or one to an abandoned request, adds nothing.
        guard let request = inFlight, response.number == request.number else { return [] }
        inFlight = nil
        guard request.epoch == state.epoch, request.head == state.head,
            request.client == nameInRequests
        else {
            // Another process of this device has received a newer reply, perhaps of another
            // history. The results are repeated with the next request.
            return exchange(isWanted: true)
        }
        if response.isDeviceStale { return wentBack(request, response, now) }
        let isNewHistory = request.epoch.map { $0 != response.epoch } ?? false
        if isNewHistory || response.head?.position ?? 0 >= state.head?.position ?? 0 {
            state.head = response.head
        }
        let isCopy = hasTwin(response)
        let acknowledged = state.answersOnServer[state.client]
        state.answersOnServer = response.knownAnswers
        state.answersDigestOnServer = response.answersDigest
        if isCopy { state.answersOnServer.truncate(to: acknowledged, of: state.client) }
        if isNewHistory { return readNewHistory(response.epoch, now) }
        state.epoch = response.epoch
        if response.isTooOld {
            readFromStart(.deviceSleptTooLong)
            return exchange(isWanted: true)
        }
        let effects = carriedOut(request, response, now)
        return isCopy ? effects + askForKnownOperations() : effects
    }

    /// Applies the reply of a server that shares the device's history.
    private mutating func carriedOut(
        _ request: ExchangeRequest, _ response: ExchangeResponse, _ now: Int64
    ) -> [Effect] {
        // A server that does not know the question handled the request like any other.
        if request.isCopied { state.isCopied = false }
        var changed: [RecordKey] = []
        var (isToWait, asksAgain) = (false, false)
        for operation in request.operations {
            guard let result = response.results[operation.id] else { continue }
            changed.append(operation.key)
            if apply(result, for: operation, now) { isToWait = true }
        }
        // Another process may have read on, or restarted the log, since the request was made.
        let continues =
            request.cursor <= state.cursor && response.cursor >= state.cursor
            && request.isReadingAnew == state.isRecovering
        if continues {
            for record in response.changes where apply(record, now) { changed.append(record.key) }
            state.cursor = response.cursor
        }
        var effects: [Effect] = changed.isEmpty ? [] : [.changed(Array(Set(changed)).sorted())]
        let answers = addAnswers(response)
        if !answers.isEmpty { effects.append(.storeAnswers(answers)) }
        if request.answers.contains(where: { response.knownAnswers[$0.client] < $0.first }) {
            isToWait = true
        }
        if !response.hasMore, continues {
            if !endOfLog(response, now) { isToWait = true }
            if state.detachedCount > 0, !state.isRecovering, hasAllAnswers(response) {
                effects.append(.numberAnswers)
            } else if state.detachedCount == 0 {
                switch compareAnswers(response, &effects) {
                case .done: break
                case .asks: asksAgain = true
                case .leavesName: return effects + askForKnownOperations()
                case .givesUp: isToWait = true
                }
            }
        }
        if isToWait, !hasProgress(request, response) {
            failureCount += 1
            return effects + wait(0.5, atLeast: 0, now)
        }
        failureCount = 0
        if !hasToSend { halvings = 0 }
        let isOpen = state.detachedCount > 0 && !answers.isEmpty && !hasAllAnswers(response)
        effects += exchange(
            isWanted: response.hasMore || state.isRecovering || hasToSend || isOpen || asksAgain
                || state.isCopied)
        return effects
    }

    /// Returns true if every answer of the server is stored here, so that detached ones can be
    /// compared.
    private func hasAllAnswers(_ response: ExchangeResponse) -> Bool {
        response.knownAnswers.beyond(state.answers, limit: 1).isEmpty
    }

    /// Returns true if the server resolved at least one operation, so that the next request may follow at once.
    private func hasProgress(_ request: ExchangeRequest, _ response: ExchangeResponse) -> Bool {
        request.operations.contains { operation in
            guard let result = response.results[operation.id] else { return false }
            return result != .retryLater
        }
    }

    /// Ends a recovery, or compares the digests of both sides.
    ///
    /// - Returns: False when they still differ right after the log was reread: the device must wait.
    private mutating func endOfLog(_ response: ExchangeResponse, _ now: Int64) -> Bool {
        if state.recovery == .serverWentBack { enqueueOffers(now) }
        if state.isRecovering {
            changedBases.formUnion(state.recordsBeforeRebuild.keys)
            state.recordsBeforeRebuild = [:]
            state.recovery = nil
        } else if let digest = response.digest {
            if digest != RecordDigest(state.bases.values) {
                recover(epoch: response.epoch)
                recoveryCount += 1
                return recoveryCount < Self.recoveriesMax
            }
            recoveryCount = 0
        }
        return true
    }

    /// The number of consecutive recoveries without a wait.
    private static let recoveriesMax = 2

    private mutating func readNewHistory(_ epoch: String, _ now: Int64) -> [Effect] {
        recover(epoch: epoch)
        recoveryCount += 1
        guard recoveryCount >= Self.recoveriesMax else { return exchange(isWanted: true) }
        failureCount += 1
        return wait(0.5, atLeast: 0, now)
    }

    /// Applies the result of one operation; returns true when the operation must be sent again later.
    mutating func apply(
        _ result: OperationResult, for operation: ChangeOperation, _ now: Int64
    ) -> Bool {
        guard let index = state.outbox.firstIndex(where: { $0.operation.id == operation.id })
        else { return false }
        switch result {
        case .retryLater: return true
        case .accepted(let record):
            state.outbox.remove(at: index)
            noticeLoss(of: operation, to: record)
            _ = apply(record, now)
            continueAfter(operation, as: record)
        case .merged(let record):
            state.outbox.remove(at: index)
            noticeLoss(of: operation, to: record)
            _ = apply(record, now)
        case .conflict(let theirs):
            state.outbox.remove(at: index)
            addConflict(operation, theirs)
            _ = apply(theirs, now)
        case .refused(let refusal):
            state.outbox.remove(at: index)
            state.rejected.append(.init(operation: operation, refusal: refusal))
        }
        return false
    }

    /// Stores a record of the server; returns true when it was newer than the known one.
    private mutating func apply(_ record: UserRecord, _ now: Int64) -> Bool {
        guard record.revision > state.bases[record.key]?.revision ?? 0 else { return false }
        state.clock.observe(record.time, wallMilliseconds: now)
        if let known = state.bases[record.key] ?? state.recordsBeforeRebuild[record.key] {
            noticeLoss(of: known, to: record)
        }
        state.bases[record.key] = record
        changedBases.insert(record.key)
        renewConflict(record)
        return true
    }
}
