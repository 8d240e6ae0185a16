import Synchronization

/// The message about the last action, which the next page shows once.
final class Toasts: Sendable {
    private let next = Mutex<PageFrame.Toast?>(nil)

    /// Shows a message on the next page.
    func show(_ toast: PageFrame.Toast) { next.withLock { $0 = toast } }

    /// Returns the message, once.
    func take() -> PageFrame.Toast? {
        next.withLock { toast in
            defer { toast = nil }
            return toast
        }
    }
}
