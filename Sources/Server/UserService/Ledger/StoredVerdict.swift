import Foundation
import GRDB
import UserData

/// The outcome of an operation as it is stored: no copy of the record, which the log has.
struct StoredVerdict {
    /// The outcome.
    enum Kind: String {
        case accepted, merged, conflict, refused
    }

    let kind: Kind
    /// The revision of the record that was accepted; 0 for other outcomes.
    let revision: UInt64
    /// The reason of a refusal; empty for other outcomes.
    let refusal: String
    /// The hash of the operation; empty when it is not known.
    let hash: Data

    /// Reads a row of kind, revision, refusal and hash.
    init(_ row: Row) {
        kind = Kind(rawValue: row[0]) ?? .merged
        revision = UInt64(row[1] as Int64)
        refusal = row[2]
        hash = row[3]
    }

    /// Makes a verdict of a result; `nil` for one that is not final.
    init?(_ result: OperationResult, hash: Data) {
        self.hash = hash
        switch result {
        case .accepted(let record): (kind, revision, refusal) = (.accepted, record.revision, "")
        case .merged: (kind, revision, refusal) = (.merged, 0, "")
        case .conflict: (kind, revision, refusal) = (.conflict, 0, "")
        case .refused(let reason): (kind, revision, refusal) = (.refused, 0, reason.rawValue)
        case .retryLater: return nil
        }
    }

    /// True when it is the verdict on an operation of this hash.
    func isOn(_ hash: Data?) -> Bool { self.hash.isEmpty || self.hash == hash }

    /// True when the operation was applied.
    var isApplied: Bool { kind == .accepted || kind == .merged }

    /// Answers a repeated operation.
    ///
    /// - Parameter record: The record as it is now, which may be a later one than the operation made.
    /// - Returns: The result.
    func result(_ record: Record) -> OperationResult {
        switch kind {
        case .accepted: record.revision == revision ? .accepted(record) : .merged(record)
        case .merged: .merged(record)
        case .conflict: .conflict(theirs: record)
        case .refused: .refused(Refusal(rawValue: refusal) ?? .notAllowed)
        }
    }
}
