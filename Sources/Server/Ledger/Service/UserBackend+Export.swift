package import Accounts
import ContentModel
import ContentServer
import ServiceAPI
import UserData

extension UserBackend {
    /// Returns an export of all stored data of a user.
    package func export(_ user: String) -> UserExport { UserExport(service: self, user: user) }

    /// Returns an export of all stored data of a session's user, which stops when the session ends.
    package func export(for caller: AuthenticatedUser) -> UserExport {
        var export = UserExport(service: self, user: caller.id)
        export.caller = caller
        return export
    }

    /// Charges an account and an address for an export by its rows, before it begins.
    ///
    /// The whole export is charged at once: an excess over the allowance delays the next export.
    ///
    /// - Parameters:
    ///   - user: The account.
    ///   - address: The client's address.
    /// - Throws: `RequestError` `tooManyRequests`, `noAccount`.
    package func chargeExport(of user: String, address: String) async throws {
        let account = try await translatingErrors(of: user) {
            try await ledger.storage.open(
                LedgerReadSet(user: user, client: Ledger.plainRequests, now: 0)
            ).account
        }
        let rows = 1 + account.answerCount + account.recordBytes / ServiceLimits.exportRowBytes
        // The address pays nothing for an account that has to wait.
        try await limit(.exportedRowsOfAddress, address, cost: 0)
        try await limit(.exportedRows, user, cost: rows)
        try await limit(.exportedRowsOfAddress, address, cost: rows)
    }
}

extension RateLimit {
    fileprivate static let exportedRows = RateLimit(
        "exported rows", perMinute: ServiceLimits.exportedRowsPerMinute)
    fileprivate static let exportedRowsOfAddress = RateLimit(
        "exported rows of an address", perMinute: ServiceLimits.exportedRowsPerAddressMinute)
}

/// An export of all stored data of a user: the text of one JSON object in pieces, so that a large account needs no more
/// memory than a small one.
///
/// A piece is read and encoded on request, on separate threads. An abandoned export therefore costs nothing, and no
/// export delays other requests.
///
/// `{"account":{…,"records":[…]},"answers":[…]}`
package struct UserExport: Sendable {
    /// The part of the text that comes next.
    private enum Part {
        case account
        case records(after: UInt64)
        case answers(RemainingAnswers)
        case nothing
    }

    /// The threads that encode the exports of the process.
    private static let threads = WorkerThreads("exports", count: ServiceLimits.exportThreads)

    private let service: UserBackend
    private let user: String
    private let threads: WorkerThreads
    /// The session that must be open for each piece; `nil` for an operator.
    fileprivate var caller: AuthenticatedUser?
    private var part = Part.account
    private var isFirst = true

    init(service: UserBackend, user: String, threads: WorkerThreads = Self.threads) {
        self.service = service
        self.user = user
        self.threads = threads
    }

    /// Returns the next piece of the text; `nil` after the last.
    ///
    /// - Throws: `RequestError` `noAccount`, `unauthorized` once the session has ended, or `CancellationError`.
    package mutating func next() async throws -> [UInt8]? {
        try Task.checkCancellation()
        if let caller { try await service.authentication.checkOpen(caller) }
        switch part {
        case .account: return try await account()
        case .records(let position): return try await records(after: position)
        case .answers(let remaining): return try await answers(remaining)
        case .nothing: return nil
        }
    }

    private mutating func account() async throws -> [UInt8] {
        let account = try await exportedAccount()
        part = .records(after: 0)
        // Without the closing bracket of the object: the records are its last member.
        return Array("{\"account\":".utf8) + account.canonicalBytes.dropLast()
            + Array(",\"records\":[".utf8)
    }

    private func exportedAccount() async throws -> JSONValue {
        let signInMethods = try await service.accounts.signInMethods(of: user)
        let devices = try await open().devices.map(\.client.text).sorted()
            .filter { $0 != Ledger.plainRequests.text }
        let identities = signInMethods.compactMap { signInMethod in
            signInMethod.issuer.map {
                JSONValue.object(["issuer": .string($0), "subject": .string(signInMethod.name)])
            }
        }
        var members: [String: JSONValue?] = [
            "user": .string(user),
            "email": signInMethods.first { $0.issuer == nil }.map { .string($0.name) },
            "identities": .array(identities), "devices": .array(devices.map { .string($0) }),
        ]
        for (name, part) in service.exported {
            let read = { try await part(user) }
            members[name] = try await service.translatingErrors(of: user, function: name, read)
        }
        return .compact(members)
    }

    /// Reads the account, and a page of its log behind a position.
    private func open(after position: UInt64? = nil) async throws -> LedgerSnapshot {
        var keys = LedgerReadSet(user: user, client: Ledger.plainRequests, now: 0)
        keys.page = position.map {
            .init(
                after: $0, recordsMax: ServiceLimits.recordsPerReplyMax,
                bytesMax: ServiceLimits.exportedBytesMax)
        }
        return try await service.translatingErrors(of: user) {
            try await service.ledger.storage.open(keys)
        }
    }

    private mutating func records(after position: UInt64) async throws -> [UInt8] {
        let snapshot = try await open(after: position)
        guard let page = snapshot.page, page.through > position else {
            part = .answers(RemainingAnswers(snapshot.devices))
            isFirst = true
            return Array("]},\"answers\":[".utf8)
        }
        part = .records(after: page.through)
        return try await list {
            page.rows.map(\.record).filter { !$0.isDeleted }.map(RecordWire.json)
        }
    }

    private mutating func answers(_ remaining: RemainingAnswers) async throws -> [UInt8] {
        let spans = remaining.next(ServiceLimits.exportedAnswersMax)
        guard !spans.isEmpty else {
            part = .nothing
            return Array("]}".utf8)
        }
        let storage = service.ledger.storage
        let (page, retractions) = try await service.translatingErrors(of: user) {
            let page = try await storage.answers(
                spans, of: user, bytesMax: ServiceLimits.exportedBytesMax
            ).runs
            return (page, try await storage.retractions(in: page.map(\.span), of: user))
        }
        var remaining = remaining
        remaining.remove(page)
        part = .answers(remaining)
        return try await list { page.flatMap { $0.exported(retractions) } }
    }

    /// Encodes elements of a list that spans several pieces.
    private mutating func list(
        _ values: @escaping @Sendable () -> [JSONValue]
    ) async throws -> [UInt8] {
        let bytes = try await threads.run {
            Array(JSONValue.array(values()).canonicalBytes.dropFirst().dropLast())
        }
        guard !bytes.isEmpty else { return [] }
        defer { isFirst = false }
        return isFirst ? bytes : [UInt8(ascii: ",")] + bytes
    }
}

/// The answers of an export that were not read yet, as far as they were there when it began.
private struct RemainingAnswers {
    private var spans: ArraySlice<AnswerSpan>

    init(_ devices: [LedgerDevice]) {
        let lasts = devices.map { ($0.client, $0.lastAnswer) }
        spans =
            AnswerVector(Dictionary(lasts, uniquingKeysWith: { $1 }))
            .beyond(AnswerVector())[...]
    }

    /// Returns the runs that come next, with at most so many answers.
    func next(_ countMax: Int) -> [AnswerSpan] {
        var (left, next) = (countMax, [AnswerSpan]())
        for var span in spans {
            guard left > 0 else { break }
            span.count = min(span.count, left)
            left -= span.count
            next.append(span)
        }
        return next
    }

    /// Removes runs that were read: all of the next ones, or the first of them.
    mutating func remove(_ runs: [AnswerColumns]) {
        for run in runs {
            guard var span = spans.first, span.client == run.span.client else { return }
            span.first += UInt64(run.count)
            span.count -= run.count
            if span.count > 0 { spans[spans.startIndex] = span } else { spans.removeFirst() }
        }
    }
}

extension AnswerColumns {
    /// Returns one object per answer, in readable form.
    ///
    /// - Parameter retractions: The answers that are taken back, each with the retraction that holds.
    /// - Returns: The objects; none for an answer that the server rejected.
    fileprivate func exported(_ retractions: [AnswerID: AnswerID]) -> [JSONValue] {
        zip(rows, encoded.rows).enumerated().compactMap { offset, pair in
            guard let row = pair.0, let numbers = pair.1 else { return nil }
            let response = QuestionResponse(texts: row.options).exported
            var object: [String: JSONValue] = [
                "device": .string(span.client.text), "number": .integer(Int(span.first) + offset),
                "bank": .string(row.bank), "session": .string(row.session),
                "question": .string(row.question), "version": .string(row.version),
                "mode": .string(row.mode), response.name: response.value,
                AnswerField.credit.rawValue: .decimal(row.credit),
            ]
            object["domain"] = row.domain.map { .string($0) }
            for field in AnswerField.allCases {
                guard case .integer(let value)? = numbers[field] else { continue }
                object[field.rawValue] = field.isFlag ? .bool(value == 1) : .integer(Int(value))
            }
            let id = AnswerID(client: span.client, number: span.first + UInt64(offset))
            object["retractedBy"] = retractions[id].map { retraction in
                [
                    "device": .string(retraction.client.text),
                    "number": .integer(Int(retraction.number)),
                ]
            }
            return .object(object)
        }
    }
}

extension QuestionResponse {
    /// The member with the response; the raw form for a response of a later version.
    fileprivate var exported: (name: String, value: JSONValue) {
        switch self {
        case .options(let ids): ("options", .array(ids.map { .string($0) }))
        case .number(let number): ("enteredNumber", .string(number.description))
        case .unknown(let texts): ("response", .array(texts.map { .string($0) }))
        }
    }
}
