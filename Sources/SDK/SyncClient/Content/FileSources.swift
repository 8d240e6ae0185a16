import Synchronization

/// The two possible addresses of a release's files: the one in its manifest, and the manifest's own.
///
/// Checksums identify the right bytes, so either may send them.
struct FileSources: Sendable {
    private var delivered: Set<String> = []
    /// The failures of the named address, by address.
    private var failures: [String: SyncError] = [:]
    /// The reason why files came from the manifest's own address; `nil` when they did not.
    private(set) var problem: SyncError?

    /// Returns the addresses in the order in which to request them.
    ///
    /// A named one that has failed and delivered nothing in this run is last.
    func order(named: String, own: String) -> [String] {
        if named == own { return [own] }
        let isDead = failures[named] != nil && !delivered.contains(named) && problem != nil
        return isDead ? [own, named] : [named, own]
    }

    /// Records that the manifest names an address that is not used.
    mutating func ignored(named: String, own: String) {
        let schemes = own.hasPrefix("https://") ? "https://" : "http:// or https://"
        problem = SyncError(
            .badAddress,
            "The address that the manifest names for its files, \"\(named)\", is not used, since it does not"
                + " start with \(schemes). Files come from \(own).")
    }

    /// Records that an address did not have a file, or did not reply at all.
    mutating func failed(_ address: String, _ failure: SyncError) {
        if failures[address] == nil { failures[address] = failure }
    }

    /// Records that a file came from an address.
    mutating func delivered(_ address: String, named: String) {
        delivered.insert(address)
        guard address != named, problem == nil, let failure = failures[named] else { return }
        problem = SyncError(
            failure.code,
            "The address that the manifest names for its files, \(named), failed: \(failure.message)"
                + " Files came from \(address).", cause: failure)
    }
}

/// The sources of one run, which several downloads share.
final class SharedFileSources: Sendable {
    private let sources = Mutex(FileSources())

    var problem: SyncError? { sources.withLock { $0.problem } }

    func reset() { sources.withLock { $0 = FileSources() } }

    func order(named: String, own: String) -> [String] {
        sources.withLock { $0.order(named: named, own: own) }
    }

    func ignored(named: String, own: String) {
        sources.withLock { $0.ignored(named: named, own: own) }
    }

    func failed(_ address: String, _ failure: SyncError) {
        sources.withLock { $0.failed(address, failure) }
    }

    func delivered(_ address: String, named: String) {
        sources.withLock { $0.delivered(address, named: named) }
    }
}
