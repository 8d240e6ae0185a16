import ContentModel
import GRDB
import ServiceAPI
import UserData

extension UserDesk {
    /// Everything that is kept of a user.
    public func export(_ user: String) -> UserExport { UserExport(desk: self, user: user) }
}

/// Everything that is kept of a user, as the text of one JSON object in pieces, so that a large account
/// takes no more memory than a small one.
///
/// `{"account":{…,"records":[…]},"answers":[…]}`
public struct UserExport: Sendable {
    /// The part that comes next.
    private enum Part {
        case account
        case records(after: Int64)
        case answers(AnswerVector)
        case nothing
    }

    private let desk: UserDesk
    private let user: String
    private var part = Part.account
    private var isFirst = true

    init(desk: UserDesk, user: String) {
        self.desk = desk
        self.user = user
    }

    /// The next piece of the text; `nil` after the last.
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
        let user = user
        let account = try await desk.read { try $0.exportedAccount(user) }
        part = .records(after: 0)
        // Without the bracket that closes the object: the records are its last member.
        return Array("{\"account\":".utf8) + account.canonicalBytes.dropLast()
            + Array(",\"records\":[".utf8)
    }

    private mutating func records(after position: Int64) async throws -> [UInt8] {
        let user = user
        let page = try await desk.read { try $0.exportedRecords(of: user, after: position) }
        guard let last = page.last else {
            part = .answers(AnswerVector())
            isFirst = true
            return Array("]},\"answers\":[".utf8)
        }
        part = .records(after: last.position)
        return list(page.compactMap { StoredJSON.readable($0.text).map(RecordWire.json) })
    }

    private mutating func answers(beyond known: AnswerVector) async throws -> [UInt8] {
        let user = user
        let page = try await desk.read { ledger in
            let account = try LedgerAccount(id: user, in: ledger.database)
            let answers = AnswerLedger(ledger.database, account)
            var hasMore = false
            return try answers.rows(beyond: known, held: try answers.held(), &hasMore)
        }
        guard !page.isEmpty else {
            part = .nothing
            return Array("]}".utf8)
        }
        var after = known
        for columns in page { after.take(columns.span) }
        part = .answers(after)
        return list(page.flatMap(\.exported))
    }

    /// Writes values of a list that goes on from piece to piece.
    private mutating func list(_ values: [JSONValue]) -> [UInt8] {
        guard !values.isEmpty else { return [] }
        defer { isFirst = false }
        let inner = JSONValue.array(values).canonicalBytes.dropFirst().dropLast()
        return (isFirst ? [] : [UInt8(ascii: ",")]) + inner
    }
}

extension Ledger {
    fileprivate func exportedAccount(_ user: String) throws -> JSONValue {
        let account = try LedgerAccount(id: user, in: database)
        let email = try String.fetchOne(
            database, sql: "SELECT email FROM password WHERE account = ?",
            arguments: [account.number])
        let identities = try Row.fetchAll(
            database, sql: "SELECT issuer, subject FROM identity WHERE account = ?",
            arguments: [account.number]
        ).map { JSONValue.object(["issuer": .string($0[0]), "subject": .string($0[1])]) }
        let devices = try String.fetchAll(
            database,
            sql: "SELECT name FROM device WHERE account = ? AND name <> '!http' ORDER BY name",
            arguments: [account.number])
        return .compact([
            "user": .string(user), "email": email.map { .string($0) },
            "identities": .array(identities), "devices": .array(devices.map { .string($0) }),
        ])
    }

    /// One page of a user's records as they are stored, in the order of the log.
    fileprivate func exportedRecords(
        of user: String, after position: Int64
    ) throws -> [(position: Int64, text: String)] {
        let account = try LedgerAccount(id: user, in: database)
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT position, json FROM record
                WHERE account = ? AND position > ? AND deletedAt IS NULL ORDER BY position LIMIT ?
                """,
            arguments: [account.number, position, ServiceLimits.recordsPerReplyMax])
        var (page, bytes) = ([(position: Int64, text: String)](), 0)
        while bytes < ServiceLimits.replyBytesMax, let row = try rows.next() {
            page.append((row[0], row[1]))
            bytes += page.last?.text.utf8.count ?? 0
        }
        return page
    }
}

extension AnswerColumns {
    /// One object an answer, for people.
    fileprivate var exported: [JSONValue] {
        rows.enumerated().compactMap { offset, row in
            guard let row else { return nil }
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
    /// The member that says the response: a later version's in its raw form.
    fileprivate var exported: (name: String, value: JSONValue) {
        switch self {
        case .options(let ids): ("options", .array(ids.map { .string($0) }))
        case .number(let number): ("enteredNumber", .string(number.description))
        case .unknown(let texts): ("response", .array(texts.map { .string($0) }))
        }
    }
}
