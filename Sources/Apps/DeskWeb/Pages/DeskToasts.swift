import Synchronization

/// The message about the last action of a session, which its next page shows once.
final class DeskToasts: Sendable {
    /// The most sessions of which a message is remembered.
    private static let countMax = 1_000

    private let next = Mutex<[String: String]>([:])

    /// Shows a sentence on the session's next page.
    func show(_ sentence: String, to user: DeskUser) {
        next.withLock { next in
            if next.count >= Self.countMax { next = [:] }
            next[user.formSecret] = sentence
        }
    }

    /// Returns the message, once.
    func take(for user: DeskUser) -> String? {
        next.withLock { $0.removeValue(forKey: user.formSecret) }
    }
}
