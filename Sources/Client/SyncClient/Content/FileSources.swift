import Synchronization

/// The two addresses at which the files of a release may be: the one that its manifest names, and the
/// manifest's own.
///
/// Checksums tell the right bytes, so it does not matter which of the two sends them.
struct FileSources: Sendable {
    private var delivered: Set<String> = []
    /// What the named address answered, by address.
    private var failures: [String: String] = [:]
    /// Why files came from the manifest's own address; `nil` when they did not.
    private(set) var problem: String?

    /// The addresses in the order in which they are asked.
    ///
    /// A named one that has failed and delivered nothing in this run is asked last.
    func order(named: String, own: String) -> [String] {
        if named == own { return [own] }
        let isDead = failures[named] != nil && !delivered.contains(named) && problem != nil
        return isDead ? [own, named] : [named, own]
    }

    /// The manifest names an address that cannot be asked.
    mutating func ignored(named: String, own: String) {
        let schemes = own.hasPrefix("https://") ? "https://" : "http:// or https://"
        problem =
            "The address that the manifest names for its files, \"\(named)\", is not used, since it does not"
            + " start with \(schemes). Files come from \(own)."
    }

    /// An address did not have a file, or did not answer at all.
    mutating func failed(_ address: String, _ message: String) {
        if failures[address] == nil { failures[address] = message }
    }

    /// A file came from an address.
    mutating func delivered(_ address: String, named: String) {
        delivered.insert(address)
        guard address != named, problem == nil, let message = failures[named] else { return }
        problem =
            "The address that the manifest names for its files, \(named), failed: \(message)"
            + " Files came from \(address)."
    }
}

/// The sources of one run, which several downloads share.
final class FileSourcesBox: Sendable {
    private let sources = Mutex(FileSources())

    var problem: String? { sources.withLock { $0.problem } }

    func reset() { sources.withLock { $0 = FileSources() } }

    func order(named: String, own: String) -> [String] {
        sources.withLock { $0.order(named: named, own: own) }
    }

    func ignored(named: String, own: String) {
        sources.withLock { $0.ignored(named: named, own: own) }
    }

    func failed(_ address: String, _ message: String) {
        sources.withLock { $0.failed(address, message) }
    }

    func delivered(_ address: String, named: String) {
        sources.withLock { $0.delivered(address, named: named) }
    }
}
