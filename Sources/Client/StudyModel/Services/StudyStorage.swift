public import Underway

/// The files of a device that were fetched on demand, and that can be fetched again.
public protocol StudyStorage: Sendable {
    /// Returns the sizes in bytes of the files that were fetched, by checksum.
    func fetchedFiles() async throws -> [Checksum: Int]
    /// Removes fetched files; returns the bytes freed.
    @discardableResult
    func removeFetchedFiles(_ checksums: Set<Checksum>) async throws -> Int
}

extension OfflineStore: StudyStorage {}
