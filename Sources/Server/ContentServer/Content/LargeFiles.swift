import CCompression
import ContentModel
import Foundation
import NIOPosix
import ServiceAPI
import Synchronization

/// A cache of the checksums of files that are too large for memory, and of the content of their compressed forms; each
/// is read once per stamp.
///
/// A dedicated thread reads one file after another, while the server serves other files. Concurrent requests for the
/// same file share one read.
package final class LargeFiles: Sendable {
    /// A path and its stamp at the time of reading.
    fileprivate struct State: Hashable {
        var path: String
        var stamp: ServedFileStamp
    }

    fileprivate struct Cache {
        /// The checksum of each state; for a compressed form that of the decompressed content,
        /// `nil` if it is damaged.
        var checksums: [State: Checksum?] = [:]
        /// The states in the order in which they were read.
        var order: [State] = []
        var waiting = 0
        var readings = 0
    }

    /// The size limit of a file that is compared with its compressed forms, in bytes.
    ///
    /// The comparison needs the file in memory. Compressed forms of larger files are not served.
    static let comparedBytesMax = 64 << 20

    /// The reading thread, which lives as long as the process.
    private static let pool = {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        return pool
    }()

    private let cache = Mutex(Cache())
    private let now: @Sendable () -> Int

    /// Creates an empty cache.
    ///
    /// - Parameter now: The time in nanoseconds since 1970.
    init(now: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970 * 1e9) }) {
        self.now = now
    }

    /// The number of readings so far.
    var readings: Int { cache.withLock { $0.readings } }

    /// Returns the checksum of a file, and reads it if its state is not cached.
    ///
    /// - Throws: `ServeError` if the file is unreadable or changes during the read, `RequestError` `busy` if too many
    ///   reads are queued.
    func checksum(of path: String, _ stamp: ServedFileStamp) async throws -> Checksum {
        if let checksum = remembered(path, stamp) ?? nil { return checksum }
        return try await inTurn { try $0.read(path) }
    }

    /// Returns whether a compressed form decompresses to its plain file, and compares them if its
    /// state is not cached.
    ///
    /// - Throws: `RequestError` `busy` when too many readings are queued.
    func isIntact(_ packed: PackedFile) async throws -> Bool {
        if let found = remembered(packed.path, packed.stamp) { return found == packed.checksum }
        return try await inTurn { $0.compare(packed) }
    }

    private func inTurn<Result: Sendable>(
        _ body: @escaping @Sendable (LargeFiles) throws -> Result
    ) async throws -> Result {
        let isAdmitted = cache.withLock { cache in
            guard cache.waiting < ServiceLimits.waitingReadingsMax else { return false }
            cache.waiting += 1
            return true
        }
        guard isAdmitted else { throw RequestError.overloaded }
        defer { cache.withLock { $0.waiting -= 1 } }
        return try await Self.pool.runIfActive { [self] in try body(self) }
    }

    private func remembered(_ path: String, _ stamp: ServedFileStamp) -> Checksum?? {
        cache.withLock { $0.checksums[State(path: path, stamp: stamp)] }
    }

    private func read(_ path: String) throws -> Checksum {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0, let before = ServedFileStamp(descriptor: file) else {
            if file >= 0 { close(file) }
            throw ServeError(message: "\(path) cannot be read.")
        }
        defer { close(file) }
        // An earlier request in the queue may have read it.
        if let checksum = remembered(path, before) ?? nil { return checksum }
        let start = now()
        let checksum = try Self.checksum(of: file, path)
        guard let after = ServedFileStamp(descriptor: file), after.hasBytes(of: before) else {
            throw ServeError(message: "\(path) changed while it was read.", stamp: before)
        }
        remember(checksum, of: path, after == before ? before : nil, since: start)
        return checksum
    }

    private func compare(_ packed: PackedFile) -> Bool {
        // An earlier request in the queue may have read it.
        if let found = remembered(packed.path, packed.stamp) { return found == packed.checksum }
        let start = now()
        guard let plain = FileManager.default.contents(atPath: packed.plain).map([UInt8].init),
            let bytes = FileManager.default.contents(atPath: packed.path).map([UInt8].init),
            Checksum(of: plain) == packed.checksum,
            ServedFileStamp(path: packed.path) == packed.stamp
        else { return false }
        let isRight =
            underway_packed_holds(
                packed.coding == .brotli ? 1 : 0, bytes, bytes.count, plain, plain.count) != 0
        remember(isRight ? packed.checksum : nil, of: packed.path, packed.stamp, since: start)
        return isRight
    }

    /// Counts a reading that began at a moment, and caches its result unless the file may have
    /// changed during it without another stamp.
    private func remember(
        _ checksum: Checksum?, of path: String, _ stamp: ServedFileStamp?, since start: Int
    ) {
        cache.withLock { cache in
            cache.readings += 1
            guard let stamp, stamp.changed < start - Self.timestampGranularityNanoseconds else {
                return
            }
            cache.remember(checksum, State(path: path, stamp: stamp))
        }
    }

    /// The assumed granularity of a file system's clock: a file that changed more recently than
    /// this can change again without another stamp, so its result is not cached (git calls such
    /// entries racy).
    private static let timestampGranularityNanoseconds = 50_000_000

    private static func checksum(of file: Int32, _ path: String) throws -> Checksum {
        var hasher = ChecksumHasher()
        var block = [UInt8](repeating: 0, count: 256 * 1024)
        while true {
            let count = block.withUnsafeMutableBytes {
                Foundation.read(file, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ServeError(message: "\(path) cannot be read.") }
            if count == 0 { return hasher.finish() }
            hasher.update(count == block.count ? block : Array(block[..<count]))
        }
    }
}

/// A compressed form of a file that is too large for memory.
struct PackedFile: Sendable {
    var coding: ContentCoding
    var path: String
    var stamp: ServedFileStamp
    /// The path of the plain file.
    var plain: String
    var checksum: Checksum
}

extension LargeFiles.Cache {
    fileprivate mutating func remember(_ checksum: Checksum?, _ state: LargeFiles.State) {
        guard checksums.updateValue(checksum, forKey: state) == nil else { return }
        order.append(state)
        guard order.count > ServiceLimits.knownLargeFilesMax else { return }
        checksums[order.removeFirst()] = nil
    }
}
