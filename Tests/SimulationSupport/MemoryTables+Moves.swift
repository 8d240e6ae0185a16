import Ledger
import ServiceAPI
import UserData

/// A move of an account over tables in memory, by the shipped merge of records.
extension MemoryTables {
    /// Adds everything of an account to another one.
    mutating func copy(_ source: Account, by merge: RecordMerge, into target: String) throws {
        if accounts[target] == nil { accounts[target] = Account() }
        for device in source.devices {
            try append(device.answers, of: device.client, into: target)
            copyResults(of: device, into: target)
        }
        let records = source.log.map(\.record).filter { !$0.isDeleted }
        guard !records.isEmpty else { return }
        _ = try exchange(merge.keys(records)) { merge.decide(records, over: $0) }
    }

    /// Appends what the target lacks of a device's answers; from the first that differs they go on under a branch.
    private mutating func append(
        _ answers: [AnswerRow?], of client: ClientID, into target: String
    ) throws {
        var (rest, name) = (answers, client)
        while !rest.isEmpty {
            let known = accounts[target]?.devices.first { $0.client == name }?.answers ?? []
            let same = zip(rest, known).prefix { $0 == $1 }.count
            guard same < min(rest.count, known.count) else {
                let new = Array(rest.dropFirst(known.count))
                return try write(new, after: known.count, name, target)
            }
            let span = AnswerSpan(client: name, first: UInt64(same) + 1, count: 1)
            let row = AnswerColumns(span: span, rows: [rest[same]])
            name = BranchName.ofAnswers(
                of: name, first: span.first, contentHash: row.encoded.contentHashes[0])
            rest.removeFirst(same)
        }
    }

    private mutating func write(
        _ rows: [AnswerRow?], after last: Int, _ name: ClientID, _ target: String
    ) throws {
        guard !rows.isEmpty else { return }
        let span = AnswerSpan(client: name, first: UInt64(last) + 1, count: rows.count)
        let run = AnswerColumns(span: span, rows: rows)
        var keys = LedgerReadSet(user: target, client: .server, now: 0)
        keys.bring([run])
        try self.exchange(keys) { snapshot in
            var changes = LedgerChanges()
            changes.account = snapshot.account
            changes.account?.answerCount += run.count
            changes.add([run], over: snapshot, now: 0)
            var digest = snapshot.devices.first { $0.client == name }?.digest ?? SetDigest()
            digest.add(run.digest)
            changes.digests[name] = digest
            return LedgerDecision(changes: changes, reply: ())
        }
    }

    /// Copies results, so that a device that asks again learns what was applied.
    private mutating func copyResults(of device: Device, into target: String) {
        guard !device.results.isEmpty, var account = accounts[target] else { return }
        if !account.devices.contains(where: { $0.client == device.client }) {
            account.devices.append(Device(row: LedgerDevice(client: device.client)))
        }
        for index in account.devices.indices
        where account.devices[index].client == device.client {
            let verdicts = device.results.mapValues(\.afterMove)
            account.devices[index].results.merge(verdicts) { known, _ in known }
        }
        accounts[target] = account
    }
}

extension StoredVerdict {
    /// The verdict in another account's log, in which the revision means nothing.
    fileprivate var afterMove: StoredVerdict {
        let kind = kind == .accepted ? Kind.merged : kind
        return StoredVerdict(kind: kind.rawValue, revision: 0, refusal: refusal, hash: hash)
    }
}
