import Foundation
import ServiceAPI
import UserData

extension ExchangeDecision {
    /// Judges the operations of the request, each for itself, and repeats earlier results.
    mutating func results() -> [OperationID: OperationResult] {
        var results = unreadableResults
        var (bytes, unread) = (0, snapshot.unreadResults)
        for operation in request.operations {
            let counter = operation.id.counter
            let result: OperationResult
            if bytes >= ServiceLimits.resultBytesMax {
                // Each operation reads, writes and sends its whole record: others wait for that.
                result = .retryLater
            } else if let known = account.changes.results[counter] ?? snapshot.results[counter] {
                result = replay(known, operation)
            } else if unread >= ServiceLimits.unprocessedResultsMax {
                result = .retryLater
            } else {
                result = account.apply(operation)
                let hash = requestDigest.operations[counter] ?? Data()
                account.changes.results[counter] = StoredVerdict(result, hash: hash)
                unread += 1
            }
            results[operation.id] = result
            bytes += result.estimatedBytes
        }
        return results
    }

    /// The results of the operations that could not be read.
    var unreadableResults: [OperationID: OperationResult] {
        call.unreadable.mapValues { .refused($0) }
    }

    /// Answers a repeated operation from its result and the record as it is now.
    func replay(_ verdict: StoredVerdict, _ operation: ChangeOperation) -> OperationResult {
        verdict.result(
            account.record(operation.key) ?? account.tombstone(operation.key))
    }
}

extension OperationResult {
    /// The bytes that the result takes in a reply, about.
    var estimatedBytes: Int {
        switch self {
        case .accepted(let record), .merged(let record), .conflict(let record):
            record.estimatedBytes
        case .refused, .retryLater: 40
        }
    }
}
