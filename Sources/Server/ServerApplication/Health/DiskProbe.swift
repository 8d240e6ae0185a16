import ContentServer
import ServiceAPI

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A probe for the folder of user data: it is writable if a file can be written to it.
struct DiskProbe: Sendable {
    /// The size of the probe, more than a file system reserves in blocks that are partly used.
    private static let probeBytes = 64 * 1024
    /// The thread that waits for the disk, which may hang.
    private static let threads = WorkerThreads("disk probe", count: 1)

    private let probe: CachedProbe<Bool>

    /// Creates a probe with a file of its own in the folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - patience: The time that the disk may take.
    init(
        folder: String, patience: Duration = .seconds(ServiceLimits.probePatienceSeconds)
    ) {
        let path = folder + "/.ready-probe"
        probe = CachedProbe(
            lifetime: .seconds(ServiceLimits.diskProbeSeconds),
            patience: patience, overdue: false
        ) {
            // The write itself reports its failures.
            (try? await Self.threads.run { Self.write(path) }) ?? false
        }
    }

    /// Writes, syncs and removes a small file, or returns a recent result.
    ///
    /// - Parameter now: The time.
    /// - Returns: True when all steps succeeded.
    func isWritable(now: ContinuousClock.Instant = .now) async -> Bool {
        await probe.value(now: now)
    }

    private static func write(_ path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer {
            close(file)
            unlink(path)
        }
        let bytes = [UInt8](repeating: 0x75, count: Self.probeBytes)
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                pwrite(file, $0.baseAddress, $0.count, off_t(done))
            }
            guard count > 0 else { return false }
            done += count
        }
        return fsync(file) == 0
    }
}
