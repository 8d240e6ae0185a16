public import Foundation

/// One update of the trusted metadata: it requests files and verifies the host's replies (TUF 5.3 to 5.6.6).
///
/// It is the state machine of one update, with a fixed time. After each step that does not throw, store all of
/// ``trusted``. After an error the update has ended, and the next one begins with the stored state.
///
/// ```swift
/// func refresh(
///     _ stored: TrustedMetadata, now: Date, fetch: (MetadataRequest) async throws -> [UInt8]?
/// ) async throws -> TrustedMetadata {
///     var update = MetadataUpdate(stored, startedAt: now)
///     while let request = update.request {
///         if let bytes = try await fetch(request) {
///             try update.received(bytes)
///         } else {
///             try update.notFound()
///         }
///     }
///     return update.trusted
/// }
/// ```
public struct MetadataUpdate: Sendable {
    private enum Step: Sendable {
        case root(accepted: Int)
        case timestamp
        case snapshot
        case targets
        case ended
    }

    /// The metadata trusted so far.
    public private(set) var trusted: TrustedMetadata
    /// The fixed time of the update (TUF 5.1), for checks of expiry.
    public let startedAt: Date
    private var step = Step.root(accepted: 0)

    /// Creates an update of trusted metadata.
    public init(_ trusted: TrustedMetadata, startedAt: Date) {
        self.trusted = trusted
        self.startedAt = startedAt
    }

    /// The file to fetch next; `nil` when the update has ended.
    public var request: MetadataRequest? {
        let hasVersions = trusted.hasConsistentSnapshots
        switch step {
        case .root:
            return MetadataRequest(
                role: "root", version: trusted.root.version + 1, bytesMax: TrustLimits.rootBytesMax)
        case .timestamp:
            return MetadataRequest(
                role: "timestamp", version: nil, bytesMax: TrustLimits.timestampBytesMax)
        case .snapshot:
            return trusted.timestampMetadata.map {
                MetadataRequest(
                    role: "snapshot", version: hasVersions ? $0.snapshot.version : nil,
                    bytesMax: $0.snapshot.bytesMax(limit: TrustLimits.snapshotBytesMax))
            }
        case .targets: return trusted.request(forTargetsRole: "targets")
        case .ended: return nil
        }
    }

    /// Verifies the requested file and adds it to the trusted metadata.
    ///
    /// - Throws: `TrustError`: discard the bytes; the update has ended. An unchanged timestamp is not an error.
    public mutating func received(_ bytes: [UInt8]) throws(TrustError) {
        let step = step
        self.step = .ended
        switch step {
        case .root(let accepted):
            try trusted.update(root: bytes)
            let isLast = accepted + 1 >= TrustLimits.rootsPerUpdateMax
            self.step = isLast ? try afterRoots() : .root(accepted: accepted + 1)
        case .timestamp:
            try trusted.update(timestamp: bytes, startedAt: startedAt)
            self.step = try afterTimestamp()
        case .snapshot:
            try trusted.update(snapshot: bytes, startedAt: startedAt)
            self.step = try afterSnapshot()
        case .targets: try trusted.update(targets: bytes, startedAt: startedAt)
        case .ended: throw .outOfOrder("metadata", needs: "update")
        }
    }

    /// Records that the requested file does not exist on the host.
    ///
    /// It marks the end of the search for the newest root. Call it only for the statuses 404 and 403; some hosts send
    /// 403 for names that do not exist.
    /// - Throws: `TrustError` `expired` when the newest root has expired; `notFound` for every other role: the update
    ///   has ended.
    public mutating func notFound() throws(TrustError) {
        let role = request?.role ?? "metadata"
        guard case .root = step else {
            step = .ended
            throw .notFound(role)
        }
        step = .ended
        step = try afterRoots()
    }

    /// Checks that the newest root has not expired (TUF 5.3.10).
    private func afterRoots() throws(TrustError) -> Step {
        try trusted.checkExpiry(trusted.rootMetadata.envelope, startedAt)
        return .timestamp
    }

    /// Skips the snapshot when the stored one is what the timestamp names.
    private mutating func afterTimestamp() throws(TrustError) -> Step {
        guard let stored = trusted.file(.snapshot) else { return .snapshot }
        do throws(TrustError) {
            try trusted.update(snapshot: stored.bytes, startedAt: startedAt)
        } catch {
            // The stored one is another version, or its keys have changed.
            return .snapshot
        }
        return try afterSnapshot()
    }

    /// Skips the targets when the stored ones are what the snapshot names.
    private mutating func afterSnapshot() throws(TrustError) -> Step {
        guard let stored = trusted.file(.targets) else { return .targets }
        do throws(TrustError) {
            try trusted.update(targets: stored.bytes, startedAt: startedAt)
        } catch {
            // The stored ones are another version, or their keys have changed.
            return .targets
        }
        return .ended
    }
}

extension TrustedMetadata {
    /// Returns the request for a targets role, top-level or delegated; `nil` when the snapshot does not list it.
    func request(forTargetsRole role: String) -> MetadataRequest? {
        snapshotMetadata?.file(of: role).map {
            MetadataRequest(
                role: role, version: hasConsistentSnapshots ? $0.version : nil,
                bytesMax: $0.bytesMax(limit: TrustLimits.targetsBytesMax))
        }
    }
}
