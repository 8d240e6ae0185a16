public import Foundation

/// The search for one target through the delegations (TUF 5.6.7): pre-order, depth first, most trusted first.
///
/// Begin it after a ``MetadataUpdate`` has ended successfully. A role is verified by the keys of the role through which
/// this search reached it, even if another search has verified it before. Every role on the way must delegate the path.
///
/// ```swift
/// func target(
///     _ path: String, in trusted: TrustedMetadata, now: Date,
///     fetch: (MetadataRequest) async throws -> [UInt8]?
/// ) async throws -> TargetFile? {
///     var search = try TargetSearch(path, in: trusted, startedAt: now)
///     while let request = search.request {
///         guard let bytes = try await fetch(request) else { return nil }
///         try search.received(bytes)
///     }
///     return search.result
/// }
/// ```
public struct TargetSearch: Sendable {
    /// The trusted metadata, with the delegated roles fetched so far.
    public private(set) var trusted: TrustedMetadata
    /// The target; `nil` during the search, and when no role has it.
    public private(set) var result: TargetFile?
    /// The file to fetch next; `nil` when the search has ended.
    public private(set) var request: MetadataRequest?
    private let path: String
    private let pathHash: String
    private let startedAt: Date
    /// The delegations that were not visited yet, the next one last.
    private var pending: [Delegation] = []
    private var visited: Set<[UInt8]> = []

    /// Creates a search that begins with the top-level targets.
    ///
    /// - Parameters:
    ///   - path: The path of the target, compared code point by code point.
    ///   - trusted: The metadata of an update that ended successfully.
    ///   - startedAt: The fixed time of that update.
    /// - Throws: `TrustError` `outOfOrder`, `expired` or `mismatched` when the update did not end successfully;
    ///   `notFound` for a delegated role that the snapshot does not list.
    public init(
        _ path: String, in trusted: TrustedMetadata, startedAt: Date
    ) throws(TrustError) {
        self.path = path
        pathHash = Checksum(of: Array(path.utf8)).hex
        self.trusted = trusted
        self.startedAt = startedAt
        guard let targets = trusted.targetsMetadata else {
            throw .outOfOrder(path, needs: "targets")
        }
        visit(
            try trusted.verified(
                targets.envelope.bytes, role: "targets",
                authority: trusted.rootMetadata.authority(.targets), startedAt))
        try advance()
    }

    /// Verifies the requested file and continues the search.
    ///
    /// - Throws: `TrustError`: the role cannot be verified. The search has ended and the target counts as not found,
    ///   since a less trusted role must not replace it.
    public mutating func received(_ bytes: [UInt8]) throws(TrustError) {
        guard request != nil, let delegation = pending.popLast() else {
            throw .outOfOrder(path, needs: "search")
        }
        // Without a request the search has ended, also where what follows throws.
        request = nil
        let metadata = try trusted.verified(
            bytes, role: delegation.role, authority: delegation.authority, startedAt)
        trusted.remember(bytes, of: delegation.role)
        visit(metadata)
        try advance()
    }

    /// Searches a role, and schedules its delegations of the path as the next ones to visit.
    private mutating func visit(_ metadata: TargetsMetadata) {
        if let target = metadata.target(path) {
            result = target
            pending = []
            return
        }
        var next: [Delegation] = []
        for delegation in metadata.delegations where delegation.covers(path, pathHash: pathHash) {
            next.append(delegation)
            guard delegation.isTerminating else { continue }
            pending = []
            break
        }
        pending += next.reversed()
    }

    /// Continues until the search ends, or needs a file that is not in the cache.
    private mutating func advance() throws(TrustError) {
        while let delegation = pending.last {
            let name = Array(delegation.role.utf8)
            guard !visited.contains(name) else {
                pending.removeLast()
                continue
            }
            guard visited.count < TrustLimits.visitedRolesMax,
                pending.count <= TrustLimits.pendingRolesMax
            else {
                pending = []
                return
            }
            visited.insert(name)
            guard let metadata = cached(delegation) else {
                try ask(for: delegation.role)
                return
            }
            pending.removeLast()
            visit(metadata)
        }
    }

    private mutating func ask(for role: String) throws(TrustError) {
        request = trusted.request(forTargetsRole: role)
        guard request == nil else { return }
        pending = []
        throw .notFound(role)
    }

    /// Returns the role's metadata if the cache has what the snapshot names and its delegator has signed.
    private func cached(_ delegation: Delegation) -> TargetsMetadata? {
        guard let bytes = trusted.delegated.exactly(delegation.role) else { return nil }
        // What cannot be verified is fetched.
        return try? trusted.verified(
            bytes, role: delegation.role, authority: delegation.authority, startedAt)
    }
}
