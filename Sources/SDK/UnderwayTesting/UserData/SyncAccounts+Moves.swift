import Foundation
import ServiceAPI
import UserData

/// Moves of an account into another one, complete with the first request.
extension SyncAccounts {
    /// Moves another account into the caller's.
    ///
    /// - Parameters:
    ///   - request: The account to move, and a refresh token of it.
    ///   - caller: The account that receives it.
    ///   - rules: The collections by name.
    /// - Returns: The state of the move.
    /// - Throws: `SyncProblem` `movedElsewhere`, `noAccount`, `wrongCredentials`, `needsFreshSignIn`.
    mutating func move(
        _ request: MoveBody.Request, into caller: Caller, rules: [String: CollectionRules]
    ) throws(SyncProblem) -> MoveBody.Reply {
        let (source, target) = (request.from, caller.user)
        guard source != target else { return .moved(answers: 0, records: 0, differences: 0) }
        if let move = moves[source] {
            guard end(of: source) == target else {
                throw SyncProblem(
                    .movedElsewhere, "The account was joined with another account than this one.")
            }
            return move.reply
        }
        let isItsOwn = user(ofRefreshToken: request.proof) == source
        guard let account = accounts[source] else {
            if isItsOwn { throw .noAccount }
            throw SyncProblem(.wrongCredentials, "The proof is no token of the account.")
        }
        try checkProof(request.proof, of: source, account)
        guard var data = accounts[target]?.data else { throw .noAccount }
        let reply = data.take(account.data, of: source, target, rules, mark: unused("mark"))
        accounts[target]?.data = data
        moves[source] = Move(target: target, reply: reply)
        remove(source)
        return reply
    }

    private func checkProof(
        _ token: String, of source: String, _ account: Account
    ) throws(SyncProblem) {
        guard let proof = openSession(ofRefreshToken: token), proof.user == source else {
            throw SyncProblem(.wrongCredentials, "The proof is no token of the account.")
        }
        let age = now.timeIntervalSince(proof.signedInAt ?? .distantPast)
        guard !account.hasSignInMethod || age <= Double(ServiceLimits.freshSignInSeconds) else {
            throw SyncProblem(
                .needsFreshSignIn,
                "The account has a sign-in method. Sign in to it, and join it soon.")
        }
    }

    /// Returns the account in which a moved one has arrived, through others that moved on.
    private func end(of source: String) -> String {
        var user = source
        while let next = moves[user]?.target { user = next }
        return user
    }
}

extension SyncAccount {
    /// Merges the data of an account that moves into this one.
    fileprivate mutating func take(
        _ other: SyncAccount, of source: String, _ target: String,
        _ rules: [String: CollectionRules], mark: String
    ) -> MoveBody.Reply {
        let answers = other.devices.values.reduce(0) { $0 + $1.answers.count }
        for (client, device) in other.devices.sorted(by: { $0.key < $1.key }) {
            take(device, of: client)
        }
        let records = other.records.values.filter {
            !$0.isDeleted && $0.key.collection != CollectionRules.consents.declaration.name
        }.sorted { $0.key < $1.key }
        let before = position
        let differences = records.reduce(0) {
            $0 + merge($1, from: source, into: target, rules)
        }
        if position > before { self.mark(mark) }
        return .moved(answers: answers, records: records.count, differences: differences)
    }

    /// Adds the answers of a device under its name; from the first difference on, under that of their content.
    private mutating func take(_ device: Device, of client: ClientID) {
        let known = devices[client]?.answers ?? []
        let same = zip(known, device.answers).prefix { $0 == $1 }.count
        if same == known.count || same == device.answers.count {
            add(Array(device.answers.dropFirst(known.count)), to: client)
        } else {
            let rest = Array(device.answers.dropFirst(same))
            let first = AnswerColumns(
                span: AnswerSpan(client: client, first: UInt64(same) + 1, count: 1),
                rows: [rest[0]])
            let branch = BranchName.ofAnswers(
                of: client, first: UInt64(same) + 1,
                contentHash: first.encoded.contentHashes[0])
            add(Array(rest.dropFirst(devices[branch]?.answers.count ?? 0)), to: branch)
        }
        takeResults(of: device, client)
    }

    /// Merges a record as after a restore of a server; losses become differences.
    private mutating func merge(
        _ offered: UserRecord, from source: String, into target: String,
        _ rules: [String: CollectionRules]
    ) -> Int {
        let known = records[offered.key]
        let operation = ChangeOperation(
            id: offered.operation, key: offered.key, change: .restore(offered), seenRevision: 0,
            time: offered.time)
        let result: UserRecord
        switch apply(operation, rules: rules) {
        case .conflict: return add(AccountDifference(.ask, offered), of: source)
        case .refused, .retryLater: return add(AccountDifference(.lost, offered), of: source)
        case .accepted(let record), .merged(let record): result = record
        }
        guard let known, !known.isRelated(to: offered) else { return 0 }
        var count = 0
        if offered.isLost(in: result) {
            count += add(AccountDifference(.lost, offered), of: source)
        }
        if known.isLost(in: result) {
            count += add(AccountDifference(.lost, known), of: source + "/" + target)
        }
        return count
    }

    private mutating func add(_ difference: AccountDifference, of source: String) -> Int {
        let key = RecordKey(AccountDifference.collection, difference.id(movedFrom: source))
        guard records[key] == nil else { return 0 }
        let writer = OperationID(client: ClientID("server"), counter: position + 1)
        var record = UserRecord(
            key: key, revision: 0, operation: writer, time: difference.version.time)
        for (name, value) in difference.fields {
            record.fields[name] = UserRecord.Field(
                value: value, time: record.time, revision: 0, writer: writer)
        }
        commit(record)
        return 1
    }
}

extension UserRecord {
    /// True when a value of the record is not in another one that was merged from it.
    fileprivate func isLost(in result: UserRecord) -> Bool {
        guard !isDeleted else { return false }
        guard !result.isDeleted else { return true }
        let (own, others) = (values, result.values)
        return fields.keys.contains { own[$0] != others[$0] }
    }
}
