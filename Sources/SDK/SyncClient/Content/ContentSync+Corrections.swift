public import OfflineStorage

extension ContentSync {
    /// Regrades a user's stored answers by the corrections of the installed banks.
    ///
    /// Call it after each sync of content or of user data, and after the app has opened its stores; it does not read a
    /// bank that has not changed.
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
