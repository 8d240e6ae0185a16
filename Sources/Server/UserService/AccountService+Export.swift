import ContentModel
import ServiceAPI
import UserData

extension AccountService {
    /// Returns everything that is stored about a user.
    public func export(_ user: String) -> UserExport { UserExport(service: self, user: user) }
}

/// An export of everything that is stored about a user: the text of one JSON object in pieces, so
/// that a large account needs no more memory than a small one.
///
/// `{"account":{…,"records":[…]},"answers":[…]}`
public struct UserExport: Sendable {
    /// The part of the text that comes next.
    private enum Part {
        case account
        case records(after: UInt64)
        case answers(AnswerVector)
        case nothing
    }

    /// The answers that are encoded before others have their turn.
    private static let answersAtOnce = 250

    private let service: AccountService
    private let user: String
    private var part = Part.account
    private var isFirst = true

    init(service: AccountService, user: String) {
        self.service = service
        self.user = user
    }

    /// Returns the next piece of the text; `nil` after the last.
    ///
    /// - Throws: `UserServiceError` `noAccount`.
    public mutating func next() async throws -> [UInt8]? {
        switch part {
        case .account: try await account()
        case .records(let position): try await records(after: position)
        case .answers(let known): try await answers(beyond: known)
        case .nothing: nil
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
        return .compact([
            "user": .string(user),
            "email": signInMethods.first { $0.issuer == nil }.map { .string($0.name) },
            "identities": .array(identities), "devices": .array(devices.map { .string($0) }),
            "boardProfile": try await service.boards?.storage.profile(of: user)?.json,
            "events": try await events(),
        ])
    }

    private func events() async throws -> JSONValue? {
        guard let storage = service.events?.storage else { return nil }
        let standings = try await service.translatingErrors(of: user) {
            try await storage.standings(of: user)
        }
        return .array(
            standings.map { event, standing in
                [
                    "event": .string(event), "score": .integer(standing.score),
                    "submissions": .integer(standing.submissions),
                ]
            })
    }

    /// Reads the account, and a page of its log behind a position.
    private func open(after position: UInt64? = nil) async throws -> LedgerSnapshot {
        var keys = LedgerKeys(user: user, client: Ledger.plainRequests, now: 0)
        // A page can exceed its limit by the changes of one request.
        let bytesMax = ServiceLimits.replyBytesMax - ServiceLimits.resultBytesMax
        keys.page = position.map {
            .init(
                after: $0, recordsMax: ServiceLimits.recordsPerReplyMax, bytesMax: bytesMax)
        }
        return try await service.translatingErrors(of: user) {
            try await service.ledger.storage.open(keys)
        }
    }

    private mutating func records(after position: UInt64) async throws -> [UInt8] {
        guard let page = try await open(after: position).page, page.through > position else {
            part = .answers(AnswerVector())
            isFirst = true
            return Array("]},\"answers\":[".utf8)
        }
        part = .records(after: page.through)
        return list(page.rows.map(\.record).filter { !$0.isDeleted }.map(RecordWire.json))
    }

    private mutating func answers(beyond known: AnswerVector) async throws -> [UInt8] {
        let held = AnswerVector(
            Dictionary(
                try await open().devices.map { ($0.client, $0.lastAnswer) },
                uniquingKeysWith: { $1 }))
        let spans = held.beyond(known, limit: ServiceLimits.answersPerReplyMax)
        let page = try await service.translatingErrors(of: user) {
            try await service.ledger.storage.answers(
                spans, of: user, bytesMax: ServiceLimits.replyBytesMax
            ).runs
        }
        guard !page.isEmpty else {
            part = .nothing
            return Array("]}".utf8)
        }
        var after = known
        for columns in page { after.add(columns.span) }
        part = .answers(after)
        var bytes: [UInt8] = []
        for columns in page {
            for start in stride(from: 0, to: columns.rows.count, by: Self.answersAtOnce) {
                bytes += list(columns.exported(from: start, count: Self.answersAtOnce))
                // Requests of others are served meanwhile.
                await Task.yield()
            }
        }
        return bytes
    }

    /// Encodes elements of a list that spans several pieces.
    private mutating func list(_ values: [JSONValue]) -> [UInt8] {
        guard !values.isEmpty else { return [] }
        defer { isFirst = false }
        let inner = JSONValue.array(values).canonicalBytes.dropFirst().dropLast()
        return (isFirst ? [] : [UInt8(ascii: ",")]) + inner
    }
}

extension AnswerColumns {
    /// Returns one object per answer, in readable form.
    fileprivate func exported(from start: Int, count: Int) -> [JSONValue] {
        (start..<min(start + count, rows.count)).compactMap { offset in
            guard let row = rows[offset] else { return nil }
            let response = QuestionResponse(texts: row.options).exported
            return .compact([
                "device": .string(span.client.text), "number": .integer(Int(span.first) + offset),
                "bank": .string(row.bank), "session": .string(row.session),
                "question": .string(row.question), "domain": row.domain.map { .string($0) },
                "version": .string(row.version), response.name: response.value,
                "isCorrect": .bool(row.isCorrect), "credit": .decimal(row.credit),
                "rating": row.rating.map { .integer($0) },
                "takenMilliseconds": .integer(Int(row.takenMilliseconds)),
                "exposuresBefore": .integer(Int(row.exposuresBefore)),
                "mode": .string(row.mode), "isRandomlySelected": .bool(row.isRandomlySelected),
                "milliseconds": .integer(Int(row.milliseconds)),
            ])
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
