package import Logging
import Synchronization

/// A log of release files that the server refuses to serve, with one line per state of a file, however often it is
/// requested.
package final class RefusalLog: Sendable {
    /// The number of refusals that are remembered; beyond it the memory is cleared, and they are
    /// logged again.
    static let refusalsMax = 1024

    private struct Refusal: Hashable {
        var message: String
        var stamp: ServedFileStamp?
    }

    private let write: @Sendable (Logger.Level, _ what: String, _ reason: String) -> Void
    private let said = Mutex<Set<Refusal>>([])

    /// Creates a log that writes through a function.
    init(write: @escaping @Sendable (Logger.Level, _ what: String, _ reason: String) -> Void) {
        self.write = write
    }

    /// Creates a log that writes to a logger, or discards everything.
    package convenience init(_ logger: Logger? = nil) {
        self.init { level, what, reason in
            logger?.log(level: level, "\(what)", metadata: ["reason": "\(reason)"])
        }
    }

    /// Logs a file that cannot be served.
    func note(_ error: ServeError) {
        guard isNew(error.message, error.stamp) else { return }
        write(.error, "a file cannot be served", error.message)
    }

    /// Logs a damaged compressed form; the plain file is served instead.
    func noteLeftOut(_ path: String, _ stamp: ServedFileStamp) {
        let message =
            "\(path) does not hold what the plain file holds. `publish --verify` makes it anew."
        guard isNew(message, stamp) else { return }
        write(.warning, "a compressed file is not served, the plain one is", message)
    }

    private func isNew(_ message: String, _ stamp: ServedFileStamp?) -> Bool {
        said.withLock { said in
            if said.count >= Self.refusalsMax { said.removeAll() }
            return said.insert(Refusal(message: message, stamp: stamp)).inserted
        }
    }
}
