import Synchronization

/// The folder in which a publish stages files before it moves them into place.
///
/// It is on the file system of the release and is not served. The holder of the lock empties it, so that the files of a
/// killed publish stay only until the next one.
struct StagingFolder: Sendable {
    /// Names are unique in a process, and only one process works on a release at a time.
    private static let count = Atomic(0)

    private let folder: String

    init(of directory: ReleaseDirectory) {
        folder = directory.path(".underway/temporary")
    }

    /// Makes the folder, and removes what a killed publish left in it.
    func empty() throws {
        try Files.makeFolder(folder)
        for name in try Files.names(in: folder) { Files.remove(folder + "/" + name) }
    }

    /// Removes the folder and what is in it; what cannot be removed is removed by the next publish.
    func remove() {
        // A folder that cannot be read is one that the next publish reports.
        for name in (try? Files.names(in: folder)) ?? [] { Files.remove(folder + "/" + name) }
        Files.removeFolder(folder)
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - modifiedSeconds: Its time of change, if it matters.
    ///   - mode: Its permissions.
    ///   - syncs: True to wait until it is on the disk.
    /// - Returns: Where it is.
    /// - Throws: `PublishingError` `unwritable`.
    func write(
        _ bytes: [UInt8], modifiedSeconds: Int? = nil, mode: UInt16 = 0o644, syncs: Bool
    ) throws -> String {
        let path = nextPath()
        try Files.create(path, bytes, mode: .init(mode), modifiedSeconds: modifiedSeconds)
        if syncs { try Files.sync(path) }
        return path
    }

    /// Gives a file another name here, or copies it where a file has only one.
    func link(_ target: String) throws -> String {
        let path = nextPath()
        try Files.relink(path, to: target)
        return path
    }

    private func nextPath() -> String {
        "\(folder)/\(Self.count.wrappingAdd(1, ordering: .relaxed).newValue)"
    }
}
