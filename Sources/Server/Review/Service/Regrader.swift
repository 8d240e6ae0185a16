/// The regrading of stored answers by the corrections of the served release.
package struct Regrader: Sendable {
    /// The storage.
    package let storage: RegradeStorage

    package init(_ storage: RegradeStorage) { self.storage = storage }

    /// Adopts the corrections of a release, and notes those of the next accounts whose answers must be regraded.
    ///
    /// Accounts that answer later are noted when the boards process the change. The boards process it after the answers
    /// were committed, so either this function or the boards see them.
    ///
    /// - Parameter corrections: The corrections of the served release; those of an older release change nothing.
    /// - Returns: True when more accounts are pending; `nil` if another process derives rows now (retry later).
    /// - Throws: `StorageError`; then nothing is written.
    package func follow(_ corrections: ServedCorrections) async throws -> Bool? {
        try await storage.follow(corrections)
    }

    /// Regrades the answers of all noted accounts, one account per transaction.
    ///
    /// - Parameter corrections: The corrections of the served release, which `follow` has adopted.
    /// - Returns: The sums; the next refresh updates the boards.
    /// - Throws: `StorageError` or `CancellationError`; completed accounts stay committed.
    package func regrade(_ corrections: ServedCorrections) async throws -> RegradeReport {
        var report = RegradeReport()
        while true {
            let notes = try await storage.noted(atMost: Self.notesMax)
            for note in notes {
                try Task.checkCancellation()
                guard let count = try await storage.regrade(note, corrections) else {
                    return report
                }
                report.members += 1
                report.changedMembers += count > 0 ? 1 : 0
                report.answers += count
            }
            if notes.count < Self.notesMax { return report }
        }
    }

    /// The most notes that are read at once.
    private static let notesMax = 200
}
