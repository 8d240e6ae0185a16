import ContentModel
import Synchronization

/// The checksums of the content that this process has verified.
final class VerifiedContent: Sendable {
    private let checksums = Mutex<Set<Checksum>>([])

    func contains(_ checksum: Checksum) -> Bool { checksums.withLock { $0.contains(checksum) } }

    func insert(_ checksum: Checksum) { checksums.withLock { _ = $0.insert(checksum) } }

    func remove(_ checksum: Checksum) { checksums.withLock { _ = $0.remove(checksum) } }

    func removeAll() { checksums.withLock { $0 = [] } }
}
