public import ContentModel
public import Foundation
import OfflineStorage
import ServiceAPI

/// An event from `underway dev`, for an app under development.
///
/// ```swift
/// func line(_ news: DevelopmentNews) -> String? {
///     guard case .problems(let problems) = news else { return nil }
///     return "\(problems.count) problems"
/// }
/// print(line(.connected) ?? "")
/// ```
public enum DevelopmentNews: Sendable, Hashable {
    /// The server is connected.
    case connected
    /// A release was synced, with this outcome.
    case synced(release: Int, SyncOutcome)
    /// The content has problems; the installed release remains.
    case problems([Problem])
    /// The content could not be published; the installed release remains.
    case failure(String)
    /// The connection to the server was lost; the channel reconnects.
    case disconnected
}

/// A channel that installs each save of the author at once in an app under development.
///
/// It listens to the events of `underway dev` and syncs at each new release. For debug builds.
///
/// ```swift
/// let server = try URL(address: "http://127.0.0.1:8090")
/// let transport = HTTPTransport()
/// let sync = ContentSync(
///     store: try OfflineStore(folder: URL.temporaryDirectory.appending(path: "content")),
///     transport: transport, releaseURL: server.appending(path: "api/content/v2"))
/// let channel = DevelopmentChannel(sync: sync, transport: transport, serverURL: server)
/// let following = Task { await channel.run() }
/// following.cancel()
/// ```
public final class DevelopmentChannel: Sendable {
    private let sync: ContentSync
    private let transport: any Transport
    private let serverURL: String
    private let sleep: @Sendable (Duration) async throws -> Void
    private let listeners = Listeners<DevelopmentNews>()

    /// The first wait before a reconnection; it doubles up to the maximum.
    static let firstWait = Duration.milliseconds(250)
    static let longestWait = Duration.seconds(5)
    /// The maximum number of bytes of one connection before another is opened.
    static let streamBytesMax = 64 << 20

    /// Creates a channel; it does nothing before `run`.
    ///
    /// - Parameters:
    ///   - sync: The sync that installs releases, from the same server.
    ///   - transport: The network.
    ///   - serverURL: The address that `underway dev` prints, such as `http://127.0.0.1:8090`.
    ///   - sleep: The function that waits, replaceable by tests.
    public init(
        sync: ContentSync, transport: any Transport, serverURL: URL,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        self.sync = sync
        self.transport = transport
        self.serverURL = serverURL.absoluteString.asBaseAddress
        self.sleep = sleep
    }

    /// Returns a stream of events from now on.
    public func news() -> AsyncStream<DevelopmentNews> { listeners.stream() }

    /// Follows the server, also through its restarts, until the task is cancelled.
    public func run() async {
        var wait = Self.firstWait
        while !Task.isCancelled {
            if await listen() { wait = Self.firstWait }
            listeners.send(.disconnected)
            // Cancelled here, the loop ends.
            try? await sleep(wait)
            wait = min(wait * 2, Self.longestWait)
        }
    }

    /// Listens until the connection ends.
    ///
    /// - Returns: False when there was none.
    private func listen() async -> Bool {
        guard let url = URL(string: serverURL + DevelopmentEvent.route) else { return false }
        let request = TransportRequest(
            url: url, headers: ["Accept": "text/event-stream"],
            bodyBytesMax: Self.streamBytesMax)
        guard let response = try? await transport.send(request), response.status == 200 else {
            return false
        }
        listeners.send(.connected)
        var parser = EventStreamParser()
        do {
            for try await piece in response.body {
                for message in parser.append(piece) { await handle(message) }
            }
        } catch {
            // The connection broke; it is made anew.
        }
        return true
    }

    private func handle(_ message: EventMessage) async {
        switch DevelopmentEvent(message) {
        case .release(let number): await install(number)
        case .problems(let problems): listeners.send(.problems(problems))
        case .failure(let text): listeners.send(.failure(text))
        case nil: break
        }
    }

    private func install(_ release: Int) async {
        var report = await sync.checkNow()
        // A run under way may have asked before the release was published.
        if await sync.installedRelease() != release { report = await sync.checkNow() }
        listeners.send(.synced(release: release, report.outcome))
    }
}

extension ContentSync {
    /// Returns the installed release; `nil` for none, or when the store cannot be read.
    func installedRelease() -> Int? { try? store.currentGeneration()?.freshness.release }
}
