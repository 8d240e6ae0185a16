package import Foundation
import UserData

/// The stored outcome of an operation, without the record, which the log contains.
package struct StoredVerdict: Sendable, Hashable {
    /// The outcome.
    package enum Kind: String, Sendable {
        case accepted, merged, conflict, refused
    }

    package let kind: Kind
    /// The revision of the accepted record; 0 for other outcomes.
    package let revision: UInt64
    /// The reason of a refusal; empty for other outcomes.
    package let refusal: String
    /// The hash of the operation; empty if unknown.
    package var hash: Data

    /// Restores a verdict from its stored parts; an unknown kind counts as merged.
    package init(kind: String, revision: UInt64, refusal: String, hash: Data) {
        self.kind = Kind(rawValue: kind) ?? .merged
        self.revision = revision
        self.refusal = refusal
        self.hash = hash
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

    /// Returns true when it is the verdict on an operation of this hash.
    func isOn(_ hash: Data?) -> Bool { self.hash.isEmpty || self.hash == hash }

    /// True when the operation was applied.
    package var isApplied: Bool { kind == .accepted || kind == .merged }

    /// Answers a repeated operation.
    ///
    /// - Parameter record: The record as it is now, which may be a later one than the operation made.
    /// - Returns: The result.
    func result(_ record: UserRecord) -> OperationResult {
        switch kind {
        case .accepted: record.revision == revision ? .accepted(record) : .merged(record)
        case .merged: .merged(record)
        case .conflict: .conflict(theirs: record)
        case .refused: .refused(Refusal(rawValue: refusal) ?? .notAllowed)
        }
    }
}
