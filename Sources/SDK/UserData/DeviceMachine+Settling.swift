/// The steps of counters with which a name does not continue, under a name derived from their content.
///
/// Each copy of a store with the same remainder derives the same branch, so the server counts its steps once.
struct StepBranch: Sendable {
    /// The device's name that the steps have in the outbox.
    let former: ClientID
    /// The branch's name.
    let name: ClientID
    /// The steps, numbered and counted from 1.
    let steps: [PendingChange]
    /// The operations of the outbox, by those of the branch.
    let originals: [OperationID: ChangeOperation]

    /// Creates a branch of pending steps of a device, in their order.
    init(_ name: ClientID, of pending: [PendingChange], from former: ClientID) {
        (self.former, self.name) = (former, name)
        var (steps, originals) = ([PendingChange](), [OperationID: ChangeOperation]())
        var totals: [RecordKey: [String: CounterTotals]] = [:]
        for (index, original) in pending.enumerated() {
            guard case .count(let field, _) = original.operation.change else { continue }
            var sum = totals[original.operation.key]?[field] ?? CounterTotals()
            sum.added += original.step.added
            sum.removed += original.step.removed
            totals[original.operation.key, default: [:]][field] = sum
            let step = ChangeOperation(
                id: OperationID(client: name, counter: UInt64(index) + 1),
                key: original.operation.key, change: .count(field: field, sum), seenRevision: 0,
                time: original.operation.time, schemaVersion: original.operation.schemaVersion)
            steps.append(
                PendingChange(operation: step, madeAt: original.madeAt, step: original.step))
            originals[step.id] = original.operation
        }
        (self.steps, self.originals) = (steps, originals)
    }
}

/// The change of a device's name, which first resolves the pending operations under the former one.
///
/// The server reports which operations it had applied, and counts those steps that continue the name's totals, because
/// other copies may send the same. The remaining steps go to a branch, which is resolved next; all other operations get
/// the new name.
extension DeviceMachine {
    /// The branch that is being resolved, unless another process has ended it.
    var settledBranch: StepBranch? {
        state.isCopied && branch?.former == state.client ? branch : nil
    }

    /// The name under which requests are sent now.
    var nameInRequests: ClientID { settledBranch?.name ?? state.client }

    /// The operations of that name whose result the server has not reported.
    var operationsToAskAbout: [PendingChange] {
        (settledBranch?.steps ?? state.outbox).filter { !asked.contains($0.operation.id) }
    }

    /// Resolves the pending changes of an account that was moved into another one.
    ///
    /// The caller sends the requests with the other account's id, handles the replies as usual, and ends at
    /// `renewIdentity`; `settled` then has their results. The state is not stored.
    /// - Returns: The first effects.
    package mutating func settleMoved() -> [Effect] {
        isStarted = true
        return state.outbox.isEmpty ? [.renewIdentity] : askForKnownOperations()
    }

    /// Requests, for each pending operation, its result on the server, before it gets another identity.
    mutating func askForKnownOperations() -> [Effect] {
        state.isCopied = true
        asked = []
        settled = [:]
        branch = nil
        return exchange(isWanted: true)
    }

    /// Handles the reply that the server knows a later state of this device: the store is a copy, or was restored.
    ///
    /// Removes the operations that the server has; the others are sent under another name.
    mutating func wentBack(
        _ request: ExchangeRequest, _ response: ExchangeResponse, _ now: Int64
    ) -> [Effect] {
        // Another process of this device has asked since: its request is the newer one.
        guard request.number + 1 == state.nextRequest else { return exchange(isWanted: true) }
        guard request.isCopied else { return askForKnownOperations() }
        noteHistory(response)
        for operation in request.operations {
            guard let result = response.results[operation.id],
                result.isApplied || result.isRefusal && operation.isCount
            else { continue }
            let original = settledBranch?.originals[operation.id] ?? operation
            settled[original.id] = result
            _ = apply(result, for: original, now)
        }
        asked.formUnion(
            request.operations.map(\.id).filter { response.results[$0] != .retryLater })
        if request.operations.contains(where: { $0.isCount && response.results[$0.id] == nil }) {
            // What was written on top of a step that differs contains it.
            asked.formUnion(operationsToAskAbout.map(\.operation.id))
        }
        guard operationsToAskAbout.isEmpty else { return exchange(isWanted: true) }
        return endOfName()
    }

    /// Records the history to which the first records of an account belong, so that the device detects its loss by the
    /// server.
    private mutating func noteHistory(_ response: ExchangeResponse) {
        // A head that is known shows that the server lost its place.
        guard state.epoch == nil else { return }
        (state.epoch, state.head) = (response.epoch, response.head)
    }

    /// Ends the resolution of a name: its remaining steps go to a branch.
    private func endOfName() -> [Effect] {
        let rest = stepsLeft
        // A server that takes no step of a branch takes none of the next one either.
        if let branch = settledBranch, rest.count >= branch.steps.count { return [.renewIdentity] }
        return rest.first.map { [.nameBranch($0.said.request)] } ?? [.renewIdentity]
    }

    /// Resolves the remaining steps under the name of their branch.
    mutating func branched(_ name: ClientID) -> [Effect] {
        branch = StepBranch(name, of: stepsLeft.map(\.pending), from: state.client)
        return exchange(isWanted: true)
    }

    /// The steps of the name that the server does not have, each in its pending and its transmitted form.
    private var stepsLeft: [(pending: PendingChange, said: PendingChange)] {
        let steps = state.outbox.filter(\.isStep)
        guard let branch = settledBranch else { return steps.map { ($0, $0) } }
        let waiting = Dictionary(
            steps.map { ($0.operation.id, $0) }, uniquingKeysWith: { first, _ in first })
        return branch.steps.compactMap { said in
            branch.originals[said.operation.id].flatMap { waiting[$0.id] }.map { ($0, said) }
        }
    }
}

extension OperationResult {
    /// True when the server rejects the operation permanently.
    fileprivate var isRefusal: Bool { if case .refused = self { true } else { false } }
}
