package import GRDB
package import ServiceAPI
package import UserData

/// The server's decisions about one exchange, within a transaction that the caller opened.
package struct Ledger {
    package let database: Database
    /// The collections by name.
    package let rules: [String: CollectionRules]
    /// The wall clock, in milliseconds since 1970.
    package let now: Int64

    package init(_ database: Database, rules: [String: CollectionRules], now: Int64) {
        self.database = database
        self.rules = rules
        self.now = now
    }

    /// Applies a request and answers it; whatever the answer says holds once the transaction did.
    ///
    /// - Parameters:
    ///   - call: The request, whose user was compared with the token.
    ///   - print: The hashes of the request; `nil` computes them here.
    ///   - chance: A text that nobody used before: the name of what is written now, and of the
    ///     account's history, should the server find that it went back.
    /// - Returns: The answer.
    /// - Throws: `LedgerError`, or an error of the database; nothing is to be kept then.
    package func exchange(
        _ call: ExchangeCall, print: RequestPrint? = nil, chance: String
    ) throws -> ExchangeReply {
        let (request, print) = (call.request, print ?? RequestPrint(call))
        var account = try LedgerAccount(id: request.user, in: database)
        try repairIfNeeded(&account)
        let epoch = try account.epoch(else: chance, in: database)
        var response = ExchangeResponse(number: request.number, epoch: epoch)
        var device = try LedgerDevice.find(request.client.text, of: account, in: database)
        let hasGoneBack = try device.map { try isStale(call, print, $0, account, epoch) } ?? false
        if request.isCopied || hasGoneBack {
            return try staleReply(request, print, device, &account, response)
        }
        let place = try place(of: request, account)
        if request.epoch ?? epoch == epoch, place == .unknown {
            // A device knows another past: the server was restored, and nobody said so.
            response.epoch = try account.startEpoch(chance, in: database)
        }
        response.isTooOld = place == .tooOld
        let isForeign = request.epoch ?? response.epoch != response.epoch
        if isForeign || place != .known {
            if device?.wasSeen == true {
                try device?.note(
                    request, hash: print.request, epoch: epoch, now: now, in: database)
            }
            response.head = try account.head(in: database)
            response.answersHeld = try AnswerLedger(database, account).held()
            return ExchangeReply(response: response, answers: [])
        }
        var own = try device.flatMap { $0.wasSeen ? $0 : nil } ?? enter(request.client, account)
        try own.note(request, hash: print.request, epoch: epoch, now: now, in: database)
        return try reply(call, print, &own, &account, response, chance)
    }

    /// Applies what a device sent and reads what it lacks.
    private func reply(
        _ call: ExchangeCall, _ print: RequestPrint, _ device: inout LedgerDevice,
        _ account: inout LedgerAccount, _ response: ExchangeResponse, _ chance: String
    ) throws -> ExchangeReply {
        let request = call.request
        var response = response
        let before = account.position
        response.results = try results(call, print, device, &account)
        if account.position > before { try account.add(mark: chance, in: database) }
        try device.settle(before: request.settledBefore, in: database)
        let answers = AnswerLedger(database, account)
        response.isFull = try answers.take(call.answers)
        try page(request, &account, &response)
        try account.save(in: database)
        response.head = try account.head(in: database)
        response.answersHeld = try answers.held()
        let rows = try answers.rows(
            beyond: request.answersHeld, held: response.answersHeld, &response.hasMore)
        response.answers = rows.map(\.span)
        return ExchangeReply(response: response, answers: rows)
    }

    // MARK: The history

    private enum Place {
        case known
        case tooOld
        case unknown
    }

    /// Compares a device's cursor and head with the account's history.
    private func place(of request: ExchangeRequest, _ account: LedgerAccount) throws -> Place {
        if request.cursor > account.position { return .unknown }
        if let head = request.head,
            try account.mark(at: head.position, in: database) != head.mark
        {
            // Only so many marks are kept; a device that knows none of them reads the log anew.
            let oldest = try account.oldestMark(in: database)
            guard head.position < oldest else { return .unknown }
            return request.isReadingAnew ? .known : .tooOld
        }
        let isBehind = request.cursor > 0 && request.cursor < account.purgedThrough
        return isBehind && !request.isReadingAnew ? .tooOld : .known
    }

    // MARK: Devices that went back

    private func isStale(
        _ call: ExchangeCall, _ print: RequestPrint, _ device: LedgerDevice,
        _ account: LedgerAccount, _ epoch: String
    ) throws -> Bool {
        let request = call.request
        guard device.trail.isContinued(by: request, hash: print.request, epoch: epoch) else {
            return true
        }
        for operation in request.operations {
            let counter = operation.id.counter
            if let known = try device.verdict(counter, in: database),
                !known.isOn(print.operations[counter])
            {
                return true
            }
        }
        let answers = AnswerLedger(database, account)
        return try call.answers.contains {
            try $0.span.client == request.client
                && answers.contradicts($0, upTo: device.trail.lastAnswer)
        }
    }

    /// Says that nothing was done, and which of the operations were applied before.
    private func staleReply(
        _ request: ExchangeRequest, _ print: RequestPrint, _ device: LedgerDevice?,
        _ account: inout LedgerAccount, _ response: ExchangeResponse
    ) throws -> ExchangeReply {
        var response = response
        response.isDeviceStale = true
        var bytes = 0
        for operation in request.operations {
            let counter = operation.id.counter
            guard bytes < ServiceLimits.resultBytesMax else {
                response.results[operation.id] = .retryLater
                continue
            }
            if let known = try device?.verdict(counter, in: database), known.isApplied,
                known.isOn(print.operations[counter])
            {
                let result = try replay(known, operation, account)
                response.results[operation.id] = result
                bytes += result.estimatedBytes
            }
        }
        response.head = try account.head(in: database)
        response.answersHeld = try AnswerLedger(database, account).held()
        return ExchangeReply(response: response, answers: [])
    }
}
