public import SyncClient
import Synchronization

/// A static host in memory that serves a release built from Swift values.
///
/// It supports entity tags and ranges, and serves under every address: `https://host/api/content/v2` and an app's own.
/// It rejects content that a device would refuse.
///
/// ```swift
/// let server = try TestReleaseServer(.sample)
/// let sync = ContentSync(store: store, transport: server, releaseURL: address)
/// await sync.sync()
/// try server.publish { $0[blueprint: "int/harbour"]?.title = "Harbour Master 2" }
/// await sync.sync(force: true)
/// ```
public final class TestReleaseServer: TestHost {
    private struct State {
        var content: ReleaseContent
        var release = 0
        /// The files by path; objects of earlier releases remain, as on a real host.
        var files: [String: [UInt8]] = [:]

        mutating func publish(_ content: ReleaseContent) throws -> Int {
            let built = try content.built(release: release + 1)
            release += 1
            self.content = content
            files = files.filter { $0.key.hasPrefix("objects/") }
                .merging(built.files) { $1 }
            return release
        }
    }

    private let state: Mutex<State>

    /// Creates a host that serves release 1.
    ///
    /// - Throws: `ContentError` with everything that a device would refuse or omit.
    public init(_ content: ReleaseContent = .sample) throws {
        var state = State(content: content)
        _ = try state.publish(content)
        self.state = Mutex(state)
    }

    /// The content of the current release.
    public var content: ReleaseContent { state.withLock { $0.content } }

    /// The number of the current release.
    public var release: Int { state.withLock { $0.release } }

    /// Publishes the next release.
    ///
    /// - Returns: Its number.
    /// - Throws: `ContentError` with everything that a device would refuse or omit; the current release remains then.
    @discardableResult
    public func publish(_ content: ReleaseContent) throws -> Int {
        try state.withLock { try $0.publish(content) }
    }

    /// Publishes the next release, an edit of the current one.
    ///
    /// - Throws: `ContentError`, as `publish(_:)`, or an error of the edit.
    @discardableResult
    public func publish(_ edit: (inout ReleaseContent) throws -> Void) throws -> Int {
        var content = content
        try edit(&content)
        return try publish(content)
    }

    /// Returns the reply to a GET of a file; `nil` for another method or path.
    public func reply(to request: TransportRequest) -> TestReply? {
        guard request.method == "GET" else { return nil }
        let files = state.withLock { $0.files }
        // The base address may have any path: the longest end of the path that is a file.
        var parts = request.path.split(separator: "/")[...]
        while !parts.isEmpty {
            let path = parts.joined(separator: "/")
            if let bytes = files[path] {
                let isJSON = path.hasSuffix(".json") || path.hasPrefix("objects/")
                return .file(
                    bytes, type: isJSON ? "application/json" : "application/octet-stream",
                    for: request)
            }
            parts = parts.dropFirst()
        }
        return nil
    }
}
