import ServiceAPI
import UserData

extension SyncAccount {
    /// Returns the results of those operations of a request that were applied before.
    ///
    /// In a request that closes a name, steps of counters that continue its totals are applied or refused.
    mutating func settledResults(
        of request: ExchangeRequest, rules: [String: CollectionRules]
    ) -> [OperationID: OperationResult] {
        var results: [OperationID: OperationResult] = [:]
        var continues = request.isCopied
        for operation in request.operations {
            let (device, counter) = (devices[request.client], operation.id.counter)
            if let known = device?.verdicts[counter] {
                guard device?.contents[counter] == OperationWire.content(operation) else {
                    if operation.isCount { continues = false }
                    continue
                }
                if known.isApplied || known.isRefusal && operation.isCount {
                    results[operation.id] = repeated(known, operation.key)
                }
            } else if continues, case .count(let field, _) = operation.change {
                results[operation.id] = counted(operation, field, rules)
                continues = results[operation.id] != nil
            }
        }
        return results
    }

    /// Applies a step that continues the totals of its name, or refuses it; the name is closed for all devices then.
    private mutating func counted(
        _ operation: ChangeOperation, _ field: String, _ rules: [String: CollectionRules]
    ) -> OperationResult? {
        let client = operation.id.client
        let known = records[operation.key]?.counterTotals[field]?[client] ?? CounterTotals()
        guard let from = operation.from, known.added <= from.added, known.removed <= from.removed,
            case let result = apply(operation, rules: rules), let verdict = Verdict(result)
        else { return nil }
        devices[client, default: Device()].verdicts[operation.id.counter] = verdict
        devices[client]?.contents[operation.id.counter] = OperationWire.content(operation)
        devices[client]?.isClosed = true
        return result
    }
}
