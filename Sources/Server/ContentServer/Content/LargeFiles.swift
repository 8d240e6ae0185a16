import CCompression
import ContentModel
import Foundation
import NIOPosix
import ServiceAPI
import Synchronization
import UserService

/// The checksums of files that are too large for memory, and which files their compressed forms hold: each is
/// read once for each of its states.
///
/// A file is read on a thread of its own, one after another, so that requests for other files are
/// answered meanwhile and requests for the same one wait for one reading.
final class LargeFiles: Sendable {
    /// A file as it was when it was read.
    fileprivate struct State: Hashable {
        var path: String
        var stamp: FileStamp
    }

    fileprivate struct Known {
        /// For a compressed form, that of the file that it holds; `nil` where it is damaged.
        var checksums: [State: Checksum?] = [:]
        /// In the order of their reading.
        var order: [State] = []
        var waiting = 0
        var readings = 0
    }

    /// The largest file that is compared with its compressed forms, for which it is in memory for a moment;
    /// larger ones are served as they are.
    static let comparedBytesMax = 64 << 20

    /// The thread; it lives as long as the process.
    private static let pool = {
        let pool = NIOThreadPool(numberOfThreads: 1)
        pool.start()
        return pool
    }()

    private let known = Mutex(Known())
    private let now: @Sendable () -> Int

    /// Knows no file.
    ///
    /// - Parameter now: The time in nanoseconds since 1970.
    init(now: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970 * 1e9) }) {
        self.now = now
    }

    /// How often a file was read.
    var readings: Int { known.withLock { $0.readings } }

    /// Returns the checksum of a file, read where its state is not known.
    ///
    /// - Throws: `ServeError` when it cannot be read or changes meanwhile, `UserServiceError` `busy` when
    ///   too many wait for a reading.
    func checksum(of path: String, _ stamp: FileStamp) async throws -> Checksum {
        if let checksum = remembered(path, stamp) ?? nil { return checksum }
        return try await inTurn { try $0.read(path) }
    }

    /// Returns whether a compressed form holds the bytes of its file, compared where its state is not known.
    ///
    /// - Throws: `UserServiceError` `busy` when too many wait for a reading.
    func isRight(_ packed: PackedFile) async throws -> Bool {
        if let found = remembered(packed.path, packed.stamp) { return found == packed.checksum }
        return try await inTurn { $0.compare(packed) }
    }

    private func inTurn<Result: Sendable>(
        _ body: @escaping @Sendable (LargeFiles) throws -> Result
    ) async throws -> Result {
        let isAdmitted = known.withLock { known in
            guard known.waiting < ServiceLimits.waitingReadingsMax else { return false }
            known.waiting += 1
            return true
        }
        guard isAdmitted else { throw UserServiceError.overloaded }
        defer { known.withLock { $0.waiting -= 1 } }
        return try await Self.pool.runIfActive { [self] in try body(self) }
    }

    private func remembered(_ path: String, _ stamp: FileStamp) -> Checksum?? {
        known.withLock { $0.checksums[State(path: path, stamp: stamp)] }
    }

    private func read(_ path: String) throws -> Checksum {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0, let before = FileStamp(descriptor: file) else {
            if file >= 0 { close(file) }
            throw ServeError(message: "\(path) cannot be read.")
        }
        defer { close(file) }
        // Whoever waited before may have had it read.
        if let checksum = remembered(path, before) ?? nil { return checksum }
        let start = now()
        let checksum = try Self.checksum(of: file, path)
        guard let after = FileStamp(descriptor: file), after.hasBytes(of: before) else {
            throw ServeError(message: "\(path) changed while it was read.", stamp: before)
        }
        remember(checksum, of: path, after == before ? before : nil, since: start)
        return checksum
    }

    private func compare(_ packed: PackedFile) -> Bool {
        // Whoever waited before may have had it read.
        if let found = remembered(packed.path, packed.stamp) { return found == packed.checksum }
        let start = now()
        guard let plain = FileManager.default.contents(atPath: packed.plain).map([UInt8].init),
            let bytes = FileManager.default.contents(atPath: packed.path).map([UInt8].init),
            Checksum(of: plain) == packed.checksum, FileStamp(path: packed.path) == packed.stamp
        else { return false }
        let isRight =
            underway_packed_holds(
                packed.coding == .brotli ? 1 : 0, bytes, bytes.count, plain, plain.count) != 0
        remember(isRight ? packed.checksum : nil, of: packed.path, packed.stamp, since: start)
        return isRight
    }

    /// Counts a reading that began at a moment, and remembers what it found if the file cannot have changed
    /// in it unseen.
    private func remember(
        _ checksum: Checksum?, of path: String, _ stamp: FileStamp?, since start: Int
    ) {
        known.withLock { known in
            known.readings += 1
            guard let stamp, stamp.changed < start - Self.settlingNanoseconds else { return }
            known.remember(checksum, State(path: path, stamp: stamp))
        }
    }

    /// How coarse the clock of a file system may be: what changed more recently can change again
    /// without another stamp, so it is read once more next time (git calls such entries racy).
    private static let settlingNanoseconds = 50_000_000

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
    var stamp: FileStamp
    /// Where the file is that it should hold.
    var plain: String
    var checksum: Checksum
}

extension LargeFiles.Known {
    fileprivate mutating func remember(_ checksum: Checksum?, _ state: LargeFiles.State) {
        guard checksums.updateValue(checksum, forKey: state) == nil else { return }
        order.append(state)
        guard order.count > ServiceLimits.knownLargeFilesMax else { return }
        checksums[order.removeFirst()] = nil
    }
}
