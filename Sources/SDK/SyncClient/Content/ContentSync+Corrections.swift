public import OfflineStorage

extension ContentSync {
    /// Grades a user's stored answers again by the corrections of the installed banks.
    ///
    /// Call it after a sync of content or of user data, and when the app has opened its stores; a bank that did
    /// not change since is not read.
    ///
    /// ```swift
    /// let userData = try UserStore.inMemory()
    /// let content = ContentSync(
    ///     store: try OfflineStore.inMemory(), transport: HTTPTransport(),
    ///     releaseURL: try URL(address: "https://host.example/api/content/v2"))
    /// await content.sync()
    /// for result in try await content.applyCorrections(to: userData) {
    ///     print("Now", result.correctCount, "of", result.questionCount)
    /// }
    /// ```
    /// - Parameter userData: The store of the user's data.
    /// - Returns: The finished sessions of the current user whose points changed, the newest first.
    /// - Throws: `StoreError` `storage` or `damaged`.
    @discardableResult
    @concurrent
    public nonisolated func applyCorrections(
        to userData: UserStore
    ) async throws -> [CorrectedResult] {
        try userData.applyCorrections(of: store, now: clock())
    }
}
