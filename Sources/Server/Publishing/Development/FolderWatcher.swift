// Sources are thread-safe, which Dispatch does not say on Linux.
@preconcurrency import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#endif

/// A stream of changes in a folder and all folders below it.
///
/// It uses inotify(7) and works only on Linux. It reports a file once it is closed or moved into place, never half
/// written; it ignores names that start with a dot.
public final class FolderWatcher: Sendable {
    private struct State {
        /// The watched folders, without a slash at the end, by watch descriptor.
        var folders: [Int32: String] = [:]
        var isEnded = false
    }

    private let root: String
    private let state = Mutex(State())
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    #if canImport(Glibc)
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    #endif

    /// Starts watching.
    ///
    /// - Parameter root: The folder.
    /// - Throws: `PublishingError` `unreadable` if it is not a folder, or the system allows no more watches.
    public init(root: String) throws {
        self.root = root
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        #if canImport(Glibc)
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw PublishingError(.unreadable, "The system allows no more watchers of folders.")
        }
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "underway.watcher"))
        let descriptor = descriptor
        source.setCancelHandler { close(descriptor) }
        source.setEventHandler { [weak self] in self?.readEvents() }
        source.activate()
        do {
            try state.withLock { try watch(root, &$0) }
        } catch {
            source.cancel()
            throw error
        }
        #else
        throw PublishingError(.unreadable, "Folders are watched on Linux only.")
        #endif
    }

    deinit {
        #if canImport(Glibc)
        source.cancel()
        #endif
        continuation.finish()
    }

    /// The changes: one element for each change, or for several during the reader's work.
    ///
    /// It ends when the folder itself is removed, and allows one reader.
    public var changes: AsyncStream<Void> { stream }

    #if canImport(Glibc)
    private static let mask = UInt32(
        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR)

    /// Watches a folder and all below it.
    private func watch(_ folder: String, _ state: inout State) throws {
        let number = inotify_add_watch(descriptor, folder, Self.mask)
        guard number >= 0 else {
            if errno == ENOSPC {
                throw PublishingError(
                    .unreadable,
                    "The system allows no more watches; raise fs.inotify.max_user_watches.")
            }
            // A folder that was removed again needs no watch; the root does.
            if folder == root { throw Files.unreadable(folder) }
            return
        }
        state.folders[number] = folder
        // A folder that was removed again has no names.
        for name in (try? Files.names(in: folder)) ?? [] {
            let path = folder + "/" + name
            if Files.look(path)?.kind == .folder { try watch(path, &state) }
        }
    }

    private func readEvents() {
        var isChange = false
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            for event in InotifyEvent.all(in: buffer[..<count]) {
                if update(after: event) { isChange = true }
            }
        }
        if isChange { continuation.yield() }
        if state.withLock({ $0.isEnded }) { continuation.finish() }
    }

    /// Adds or removes watches after an event of a folder; returns true when content may have
    /// changed.
    private func update(after event: InotifyEvent) -> Bool {
        state.withLock { state in
            if event.has(IN_Q_OVERFLOW) {
                // Some events are lost: watch and examine everything that exists now.
                try? watch(root, &state)
                return true
            }
            guard let folder = state.folders[event.watch] else { return false }
            if event.has(IN_IGNORED) { state.folders[event.watch] = nil }
            if event.has(IN_DELETE_SELF) || event.has(IN_MOVE_SELF) {
                if folder == root { state.isEnded = true }
                return false
            }
            guard !event.name.isEmpty, !event.name.hasPrefix(".") else { return false }
            guard event.has(Int32(bitPattern: UInt32(IN_ISDIR))) else {
                return !event.has(IN_CREATE)
            }
            if event.has(IN_CREATE) || event.has(IN_MOVED_TO) {
                // A folder that cannot be watched is still published with the next change.
                try? watch(folder + "/" + event.name, &state)
            }
            return true
        }
    }
    #endif
}

#if canImport(Glibc)
/// One event in the kernel's format.
struct InotifyEvent: Hashable {
    var watch: Int32
    var mask: UInt32
    var name: String

    func has(_ bit: Int32) -> Bool { mask & UInt32(bitPattern: bit) != 0 }

    /// Parses a buffer of events: watch, mask, cookie and length of four bytes each, then a name
    /// padded with zeros.
    static func all(in bytes: ArraySlice<UInt8>) -> [InotifyEvent] {
        var events: [InotifyEvent] = []
        var rest = bytes
        func number(at offset: Int) -> UInt32 {
            let start = rest.startIndex + offset
            return rest[start..<start + 4].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
        }
        while rest.count >= 16 {
            let length = Int(number(at: 12))
            guard rest.count >= 16 + length else { break }
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
            events.append(
                InotifyEvent(
                    watch: Int32(bitPattern: number(at: 0)), mask: number(at: 4),
                    name: String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(16 + length)
        }
        return events
    }
}
#endif
