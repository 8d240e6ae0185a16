import Synchronization

/// A flag that is up until someone takes it.
final class ManualFlag: Sendable {
    private let isUp = Mutex(true)

    func take() -> Bool {
        isUp.withLock { isUp in
            defer { isUp = false }
            return isUp
        }
    }
}
