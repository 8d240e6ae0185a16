public import ContentModel
import OfflineStorage
import ServiceAPI

/// What an app under development learns from `underway dev`.
public enum DevelopmentNews: Sendable, Hashable {
    /// The server is there.
    case connected
    /// A release was looked at; this is what became of it.
    case synced(release: Int, SyncOutcome)
    /// The content has problems; what is installed stays.
    case problems([Problem])
    /// The content could not be published; what is installed stays.
    case failure(String)
    /// The server is gone; it is looked for again.
    case disconnected
}

/// Lets an app under development follow its author: each save is installed at once.
///
/// It listens to the events of `underway dev` and syncs at each new release. For debug builds.
public final class DevelopmentChannel: Sendable {
    private let sync: ContentSync
    private let transport: any Transport
    private let serverURL: String
    private let sleep: @Sendable (Duration) async throws -> Void
    private let listeners = Listeners<DevelopmentNews>()

    /// The first wait before the server is looked for again; it doubles up to the longest.
    static let firstWait = Duration.milliseconds(250)
    static let longestWait = Duration.seconds(5)
    /// The most bytes that one connection brings before another is made.
    static let streamBytesMax = 64 << 20

    /// Makes a channel; nothing happens before `run`.
    ///
    /// - Parameters:
    ///   - sync: What installs releases; its address is that of the same server.
    ///   - transport: The network.
    ///   - serverURL: The address that `underway dev` says, such as `http://127.0.0.1:8090`.
    ///   - sleep: Waits; tests wait in their own way.
    public init(
        sync: ContentSync, transport: any Transport, serverURL: String,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) {
        self.sync = sync
        self.transport = transport
        self.serverURL = serverURL.asBaseAddress
        self.sleep = sleep
    }

    /// Everything that happens from now on.
    public func news() -> AsyncStream<DevelopmentNews> { listeners.stream() }

    /// Follows the server until it is cancelled; never throws, since a server may come back.
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

    /// Listens for as long as the connection holds.
    ///
    /// - Returns: False when there was none.
    private func listen() async -> Bool {
        let request = TransportRequest(
            url: serverURL + DevelopmentEvent.route, headers: ["Accept": "text/event-stream"],
            bodyBytesMax: Self.streamBytesMax)
        guard let response = try? await transport.send(request), response.status == 200 else {
            return false
        }
        listeners.send(.connected)
        var parser = EventStreamParser()
        do {
            for try await piece in response.body {
                for message in parser.append(piece) { await take(message) }
            }
        } catch {
            // The connection broke; it is made anew.
        }
        return true
    }

    private func take(_ message: EventMessage) async {
        switch DevelopmentEvent(message) {
        case .release(let number): await install(number)
        case .problems(let problems): listeners.send(.problems(problems))
        case .failure(let text): listeners.send(.failure(text))
        case nil: break
        }
    }

    private func install(_ release: Int) async {
        var report = await sync.checkNow()
        // A run that was under way may have asked before the release was there.
        if await sync.installedRelease() != release { report = await sync.checkNow() }
        listeners.send(.synced(release: release, report.outcome))
    }
}

extension ContentSync {
    /// The release that is installed; `nil` for none, or when the store cannot say.
    func installedRelease() -> Int? { try? store.currentGeneration()?.freshness.release }
}
