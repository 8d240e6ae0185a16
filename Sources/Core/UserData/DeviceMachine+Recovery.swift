extension DeviceMachine {
    /// Reads the log from its start, and remembers what was known.
    mutating func readAnew(_ recovery: DeviceState.Recovery) {
        for (key, base) in state.bases {
            state.former[key] = state.former[key].map { joined($0, base) } ?? base
            touched.insert(key)
        }
        state.bases = [:]
        state.cursor = 0
        // A device that has something to offer must not forget that.
        if state.recovery == nil { state.recovery = recovery }
    }

    /// Reads the log of a server that went back, and says of waiting changes what their author saw in
    /// words that outlive the old revisions.
    mutating func recover(epoch: String) {
        for index in state.outbox.indices {
            let operation = state.outbox[index].operation
            if let base = state.bases[operation.key], base.revision == operation.seenRevision,
                operation.follows == nil
            {
                // Revisions are numbered anew; what the author saw is named by its operation.
                state.outbox[index].operation.follows = base.operation
            }
            state.outbox[index].operation.seenRevision = 0
        }
        // What a conflict shows is named by its operation, too.
        for index in state.conflicts.indices { state.conflicts[index].theirs.revision = 0 }
        for index in state.setAside.indices { state.setAside[index].operation.seenRevision = 0 }
        state.recovery = nil
        readAnew(.serverWentBack)
        state.epoch = epoch
    }

    func joined(_ one: Record, _ other: Record) -> Record {
        let policy = state.declarations[one.key.collection]?.policy ?? .serverWins
        return one.joined(with: other, policy: policy)
    }

    /// Offers what the server had and has no more.
    mutating func offerWhatIsMissing(_ now: Int64) {
        var offers: [DeviceState.Pending] = []
        for (key, record) in state.former.sorted(by: { $0.key < $1.key }) {
            if let base = state.bases[key] {
                let joined = joined(base, record)
                if joined.holdsTheSame(as: base), joined.operation == base.operation { continue }
            }
            let operation = Operation(
                id: OperationID(client: state.client, counter: state.nextCounter), key: key,
                change: .restore(record), seenRevision: 0, time: record.time,
                schemaVersion: record.schemaVersion)
            state.nextCounter += 1
            offers.append(.init(operation: operation, madeAt: now))
        }
        // Before all else, since what was written later may follow them.
        let place = state.outbox.firstIndex { !$0.isOffer } ?? state.outbox.count
        state.outbox.insert(contentsOf: offers, at: place)
    }
}
