import Logging
import Synchronization

/// Says what of a release is not served, once for each state of a file, however often it is asked for.
final class RefusalLog: Sendable {
    /// How many refusals are remembered; after that all are forgotten, and said again.
    static let refusalsMax = 1024

    private struct Refusal: Hashable {
        var message: String
        var stamp: FileStamp?
    }

    private let write: @Sendable (Logger.Level, _ what: String, _ reason: String) -> Void
    private let said = Mutex<Set<Refusal>>([])

    /// Writes by a function.
    init(write: @escaping @Sendable (Logger.Level, _ what: String, _ reason: String) -> Void) {
        self.write = write
    }

    /// Writes to a logger, or nowhere.
    convenience init(_ logger: Logger? = nil) {
        self.init { level, what, reason in
            logger?.log(level: level, "\(what)", metadata: ["reason": "\(reason)"])
        }
    }

    /// Logs a file that cannot be served.
    func note(_ error: ServeError) {
        guard isNew(error.message, error.stamp) else { return }
        write(.error, "a file cannot be served", error.message)
    }

    /// Logs a compressed form that is left out, so that the plain file is served.
    func noteLeftOut(_ path: String, _ stamp: FileStamp) {
        let message =
            "\(path) does not hold what the plain file holds. `publish --verify` makes it anew."
        guard isNew(message, stamp) else { return }
        write(.warning, "a compressed file is not served, the plain one is", message)
    }

    private func isNew(_ message: String, _ stamp: FileStamp?) -> Bool {
        said.withLock { said in
            if said.count >= Self.refusalsMax { said.removeAll() }
            return said.insert(Refusal(message: message, stamp: stamp)).inserted
        }
    }
}
