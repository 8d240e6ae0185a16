public import Observation

/// The status of a sync for a SwiftUI view.
///
/// ```swift
/// let store = try OfflineStore(folder: URL.temporaryDirectory.appending(path: "content"))
/// let sync = ContentSync(
///     store: store, transport: HTTPTransport(),
///     releaseURL: try URL(address: "https://host.example/api/content/v2"))
/// let observed = await ObservedSync(sync)
/// // In a view: @State private var content = ObservedSync(app.content)
/// // ProgressView(value: content.status.progress.fractionDone)
/// //     .task { await content.follow() }
/// let following = Task { await observed.follow() }
/// print(await observed.status.isRunning)
/// following.cancel()
/// ```
@MainActor @Observable
public final class ObservedSync<Report: Sendable & Hashable> {
    /// The newest status; it changes while ``follow()`` runs.
    public private(set) var status: SyncStatus<Report>
    @ObservationIgnored private let statuses: @Sendable () -> AsyncStream<SyncStatus<Report>>

    /// Observes a sync of content.
    public init(_ sync: ContentSync) where Report == SyncReport {
        status = sync.status
        statuses = { sync.statuses() }
    }

    /// Observes a sync of user data.
    public init(_ sync: UserDataSync) where Report == UserDataReport {
        status = sync.status
        statuses = { sync.statuses() }
    }

    /// Follows the sync until it is cancelled; call it in the view's own task.
    public func follow() async {
        for await status in statuses() { self.status = status }
    }
}
