public import ContentModel
public import Foundation
public import OfflineStorage

// The `async` forms are here, not in `OfflineStorage`: the SDK's own actors call the blocking ones, so that
// their state cannot change in between.

/// The functions of a store for `async` callers, such as the main actor: each does the same as the blocking
/// one of its name, on a thread of its own, and throws the same errors.
///
/// Cancellation does not stop a call that has begun. Calls that are awaited one after the other run in that
/// order; at most four run at the same time.
extension OfflineStore {
    /// Returns the current generation; `nil` on a device without any content.
    public func currentGeneration() async throws -> Generation? {
        try await StoreThreads.run { try currentGeneration() }
    }

    /// Returns the freshness of the content that is shown; `nil` without content.
    public func freshness() async throws -> ContentFreshness? {
        try await StoreThreads.run { try freshness() }
    }

    /// Returns the manifest of the current generation, or that of the bundle where nothing is installed.
    public func manifest() async throws -> Fresh<Manifest> {
        try await StoreThreads.run { try manifest() }
    }

    /// Returns the questions that a filter selects, in the author's order.
    public func questions(_ filter: QuestionFilter) async throws -> Fresh<[Question]> {
        try await StoreThreads.run { try questions(filter) }
    }

    /// Returns a whole bank with its scoring.
    public func blueprint(_ bank: QuestionFilter.Bank) async throws -> Fresh<Blueprint> {
        try await StoreThreads.run { try blueprint(bank) }
    }

    /// Returns the manifest of the release that was installed before the current one; `nil` without one.
    public func formerManifest() async throws -> Manifest? {
        try await StoreThreads.run { try formerManifest() }
    }

    /// Returns a bank as the release before the current one had it; `nil` when it did not have it.
    public func formerBlueprint(_ bank: QuestionFilter.Bank) async throws -> Blueprint? {
        try await StoreThreads.run { try formerBlueprint(bank) }
    }

    /// Returns the texts of the user interface in a language.
    public func localization(language: String) async throws -> Fresh<Localization> {
        try await StoreThreads.run { try localization(language: language) }
    }

    /// Returns the bytes of an asset of the class `eager`.
    public func asset(_ path: String) async throws -> Fresh<[UInt8]> {
        try await StoreThreads.run { try asset(path) }
    }

    /// Returns all announcements; `AnnouncementCenter` chooses among them.
    public func announcements() async throws -> Fresh<[Announcement]> {
        try await StoreThreads.run { try announcements() }
    }

    /// Finds a file that was fetched on demand or that the bundle has; `nil` when it is not on this device.
    public func lazyFile(_ checksum: Checksum, now: Date = Date()) async throws -> URL? {
        try await StoreThreads.run { try lazyFile(checksum, now: now) }
    }

    /// Removes files that no generation names, then the least recently used, and returns the bytes freed.
    @discardableResult
    public func cleanUpLazyFiles(quotaBytes: Int) async throws -> Int {
        try await StoreThreads.run { try cleanUpLazyFiles(quotaBytes: quotaBytes) }
    }

    /// Returns the sizes in bytes of the files that were fetched on demand, by checksum.
    public func fetchedFiles() async throws -> [Checksum: Int] {
        try await StoreThreads.run { try fetchedFiles() }
    }

    /// Removes files that were fetched on demand, and returns the bytes freed.
    @discardableResult
    public func removeFetchedFiles(_ checksums: Set<Checksum>) async throws -> Int {
        try await StoreThreads.run { try removeFetchedFiles(checksums) }
    }

    /// Installs the bundled generation if it is newer than the installed one, and returns true then.
    @discardableResult
    public func installBundle(_ bundle: ContentBundle, now: Date = Date()) async throws -> Bool {
        try await StoreThreads.run { try installBundle(bundle, now: now) }
    }

    /// Begins a start of the app, and returns the ban when a release was banned.
    @discardableResult
    public func beginStart(now: Date = Date()) async throws -> ReleaseBan? {
        try await StoreThreads.run { try beginStart(now: now) }
    }

    /// Counts this start, because its first screen is about to be shown.
    public func willShowFirstScreen() async throws {
        try await StoreThreads.run { try willShowFirstScreen() }
    }

    /// Records that the app started well, if this start was visible.
    public func confirmStart() async throws {
        try await StoreThreads.run { try confirmStart() }
    }

    /// Lets the next sync install releases and documents that were refused or banned before.
    public func liftBans() async throws {
        try await StoreThreads.run { try liftBans() }
    }

    /// Returns the documents of the current release that were refused, by kind and name.
    public func refusedDocuments() async throws -> [RefusedDocument] {
        try await StoreThreads.run { try refusedDocuments() }
    }

    /// Returns the number of all documents of the current release that were refused.
    public func refusedDocumentCount() async throws -> Int {
        try await StoreThreads.run { try refusedDocumentCount() }
    }

    /// Returns the documents of the current generation that are shown without some of their parts.
    public func partialDocuments() async throws -> [PartialDocument] {
        try await StoreThreads.run { try partialDocuments() }
    }
}

extension AnnouncementSource {
    /// Returns the announcement to show now; `nil` for none.
    public func current(_ moment: AnnouncementMoment) async throws -> ShownAnnouncement? {
        try await StoreThreads.run { try current(moment) }
    }

    /// Records that an announcement was shown, so that it is not shown again.
    public func markSeen(
        _ announcement: ShownAnnouncement, now: Date = Date()
    ) async throws {
        try await StoreThreads.run { try markSeen(announcement, now: now) }
    }
}
