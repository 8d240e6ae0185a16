import ContentModel

/// A name of the last release may be a folder of this one, and the other way round.
extension ReleaseDirectory {
    /// Returns true when something must go before a readable name can be there.
    ///
    /// - Parameters:
    ///   - readable: The name.
    ///   - removed: The files that go.
    /// - Returns: False when the name can be written as things are.
    /// - Throws: `PublishingError` `unwritable` when what is in the way was not published here.
    func isBlocked(_ readable: String, removed: Set<String>) throws -> Bool {
        let obstacles = fileAbove(readable).map { [$0] } ?? filesBelow(readable)
        guard let obstacles else { return false }
        for obstacle in obstacles where !removed.contains(obstacle) {
            throw PublishingError(
                .unwritable,
                "\(path(obstacle)) stands where \(readable) is to be published."
                    + " Move it out of the release directory.")
        }
        return true
    }

    /// Returns the file that stands where a folder above a readable name must be.
    private func fileAbove(_ readable: String) -> String? {
        foldersAbove(readable).first { Files.look(path($0))?.kind == .file }
    }

    /// Returns the files in a folder that stands where a readable name must be; `nil` when there is no folder.
    private func filesBelow(_ readable: String) -> [String]? {
        guard Files.look(path(readable))?.kind == .folder else { return nil }
        var files: [String] = []
        Files.forEachFolder(from: path(readable)) { folder in
            for name in (try? Files.names(in: folder)) ?? []
            where Files.look(folder + "/" + name)?.kind != .folder {
                files.append(String((folder + "/" + name).dropFirst(root.count + 1)))
            }
        }
        return files
    }

    /// Returns the folders above a readable name, the innermost first.
    private func foldersAbove(_ readable: String) -> [String] {
        var folders: [String] = []
        var rest = Substring(readable)
        while let slash = rest.lastIndex(of: "/") {
            rest = rest[..<slash]
            folders.append(String(rest))
        }
        return folders
    }

    /// Removes a file above a readable name and empty folders in its place, and makes its folder.
    func clearWay(to readable: String) throws {
        if let file = fileAbove(readable) { try Files.discard(path(file)) }
        if Files.look(path(readable))?.kind == .folder {
            var folders: [String] = []
            Files.forEachFolder(from: path(readable)) { folders.append($0) }
            for folder in folders.reversed() { Files.removeFolder(folder) }
        }
        if let folder = foldersAbove(readable).first { try Files.makeFolder(path(folder)) }
    }

    /// Removes the folders above a readable name that are empty.
    func removeEmptyFolders(above readable: String) {
        for folder in foldersAbove(readable) {
            guard Files.removeFolder(path(folder)) else { return }
        }
    }

    /// Returns the stamp of the regular file at a path; anything else there counts as nothing.
    func fileStamp(_ relative: String) -> FileStamp? {
        guard let found = Files.look(path(relative)), found.kind == .file else { return nil }
        return found.stamp
    }

    /// Returns true when the object of a published file is right, read only where the readable name with that stamp is
    /// not another name of it.
    func objectIsRight(_ checksum: Checksum, as stamp: FileStamp?) throws -> Bool {
        if let stamp, fileStamp(ReleasePath.object(checksum).text)?.inode == stamp.inode {
            return true
        }
        return try isIntact(checksum)
    }
}
