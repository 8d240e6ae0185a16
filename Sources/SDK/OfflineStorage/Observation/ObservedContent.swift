public import ContentModel
public import Observation

/// The state of the content as a screen shows it.
///
/// Follow it in the task of the view, which ends with the view: `.task { await content.follow() }`.
///
/// ```swift
/// let store = try OfflineStore.inMemory()
/// let content = await ObservedContent(store)
/// let following = Task { await content.follow() }
/// print(await content.freshness?.release ?? 0, await content.needsRepair)
/// following.cancel()
/// ```
@MainActor @Observable
public final class ObservedContent {
    /// The freshness of the content; `nil` before ``follow()`` has begun and without content.
    public private(set) var freshness: ContentFreshness?
    /// The number of documents of the current release that this version of the app refused.
    public private(set) var refusedDocumentCount = 0
    /// True from the detection of damage until a sync begins to repair it.
    public private(set) var needsRepair = false
    @ObservationIgnored private let store: OfflineStore

    /// Creates an observer of a store.
    public init(_ store: OfflineStore) { self.store = store }

    /// Updates the properties now and after each change, until its task is cancelled.
    public func follow() async {
        let store = store
        for await freshness in store.freshnessUpdates() {
            // A count that cannot be read stays as it is.
            let count = try? await store.perform { try $0.refusedDocumentCount() }
            self.freshness = freshness
            refusedDocumentCount = count ?? refusedDocumentCount
            needsRepair = store.needsRepair
        }
    }
}
