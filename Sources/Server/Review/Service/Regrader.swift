/// Grades stored answers again by the corrections of the served release: whoever comes when.
package struct Regrader: Sendable {
    /// The storage.
    package let storage: RegradeStorage

    package init(_ storage: RegradeStorage) { self.storage = storage }

    /// Takes over the corrections of a release, and notes those of the next accounts whose answers are to be graded again.
    ///
    /// Whoever answers later is noted when the boards take the change. That change is taken after the answers were
    /// committed, so either this sees them or the boards do.
    ///
    /// - Parameter corrections: The corrections of the served release; an older one than was followed changes nothing.
    /// - Returns: True when more accounts wait; `nil` when another process derives rows now, so this one tries again later.
    /// - Throws: `StorageError`, after which nothing is written.
    package func follow(_ corrections: ServedCorrections) async throws -> Bool? {
        try await storage.follow(corrections)
    }

    /// Grades the answers of all noted accounts again, one account a transaction.
    ///
    /// - Parameter corrections: The corrections of the served release, which `follow` was given before.
    /// - Returns: The sums; the next refresh brings the boards up to date.
    /// - Throws: `StorageError` or `CancellationError`, after which the accounts before stay.
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
