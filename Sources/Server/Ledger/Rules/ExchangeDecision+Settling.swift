import Foundation
import ServiceAPI
import UserData

/// The replies to a device that gives up its name, because it was restored from a backup or copied.
extension ExchangeDecision {
    /// Says which of the operations were applied before.
    ///
    /// In a request that settles a name, steps of counters that continue its totals are applied: another copy may send
    /// the same, and finds them then. Nothing else is done.
    mutating func settledOutline(_ response: ExchangeResponse) -> ExchangeOutline {
        var response = response
        response.isDeviceStale = true
        response.results = unreadableResults
        var (bytes, continues) = (0, request.isCopied)
        for operation in request.operations {
            guard bytes < ServiceLimits.resultBytesMax else {
                response.results[operation.id] = .retryLater
                continue
            }
            guard let result = settled(operation, &continues) else { continue }
            response.results[operation.id] = result
            bytes += result.estimatedBytes
        }
        closeName()
        account.mark(chance)
        response.head = account.head
        response.knownAnswers = held
        return ExchangeOutline(response: response)
    }

    /// Returns the result of an operation that was applied before, or of a step that continues or is refused.
    ///
    /// - Parameters:
    ///   - operation: The operation.
    ///   - continues: False behind the first step that differs, after which none is applied. Other operations say
    ///     nothing of that: a device changes those that it has not sent.
    /// - Returns: The result; `nil` when nothing was done.
    private mutating func settled(
        _ operation: ChangeOperation, _ continues: inout Bool
    ) -> OperationResult? {
        let counter = operation.id.counter
        if let known = snapshot.results[counter] {
            let isSame = known.isOn(requestDigest.operations[counter])
            if !isSame, operation.isCount { continues = false }
            // Each copy hears of a step that is refused; what the steps behind it continue contains it.
            let isFinal = known.isApplied || known.kind == .refused && operation.isCount
            return isSame && isFinal ? replay(known, operation) : nil
        }
        guard continues, case .count(let field, _) = operation.change else { return nil }
        let result = counted(operation, field)
        continues = result != nil
        return result
    }

    /// Applies a step that continues the totals of its name, or refuses it.
    ///
    /// Totals that the device knows and this server lost are taken from it: both only grow.
    private mutating func counted(
        _ operation: ChangeOperation, _ field: String
    ) -> OperationResult? {
        let results = snapshot.unreadResults + account.changes.results.count
        guard let from = operation.from, results < ServiceLimits.unprocessedResultsMax else {
            return nil
        }
        let known = account.record(operation.key)?.counterTotals[field]?[request.client]
        guard known.map({ $0.added <= from.added && $0.removed <= from.removed }) ?? true
        else { return nil }
        let result = account.apply(operation)
        let hash = requestDigest.operations[operation.id.counter] ?? Data()
        account.changes.results[operation.id.counter] = StoredVerdict(result, hash: hash)
        return result
    }

    /// Makes each device that uses the name settle as well, once steps were settled under it: it does not know them.
    private mutating func closeName() {
        guard !account.changes.results.isEmpty else { return }
        account.leave(request.client)
        var device = snapshot.device ?? LedgerDevice(client: request.client)
        device.lastSeenAt = max(device.lastSeenAt, account.now)
        device.close()
        account.changes.device = device
    }
}
