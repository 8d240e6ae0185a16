public import ContentModel

extension OfflineStore {
    /// Returns the freshness of the shown content: that of the current generation, or of the bundle when that is newer
    /// or nothing is installed; `nil` without either.
    ///
    /// - Throws: ``StoreError`` `storage`.
    public func freshness() throws -> ContentFreshness? {
        if !bundled.isFirst, let current = try currentGeneration() { return current.freshness }
        return bundled.manifest()?.freshness
    }

    /// Returns a stream of the content's freshness: its value now, and after each installation, fallback, damage and
    /// repair of this process.
    ///
    /// ```swift
    /// let store = try OfflineStore.inMemory()
    /// for await freshness in store.freshnessUpdates() {
    ///     print(freshness.map { "Release \($0.release)" } ?? "No content yet")
    ///     break
    /// }
    /// ```
    /// - Returns: A stream that buffers only the newest value, `nil` while there is no content; it ends when its reader
    ///   stops.
    public func freshnessUpdates() -> AsyncStream<ContentFreshness?> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ContentFreshness?.self, bufferingPolicy: .bufferingNewest(1))
        let changed = changes.stream()
        let task = Task {
            await yieldFreshness(to: continuation)
            for await _ in changed { await yieldFreshness(to: continuation) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func yieldFreshness(
        to continuation: AsyncStream<ContentFreshness?>.Continuation
    ) async {
        do {
            continuation.yield(try await perform { try $0.freshness() })
        } catch {
            // A store that cannot be read for a moment has nothing new to say.
        }
    }
}
