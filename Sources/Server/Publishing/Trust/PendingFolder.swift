import ContentModel

/// The folder of a release directory in which a release waits for signatures; it is never served.
///
/// `N.id` says which one waits, and is written by the publisher alone. Each `*.json` beside it is a copy of that
/// release, with the signatures of some authors: what comes back from one is put there under any name. A copy in
/// which anything but the signatures differs is refused.
struct PendingFolder: Sendable {
    private static let name = ".underway/pending"
    /// The most copies that are read.
    private static let copiesMax = 32
    private static let identityBytesMax = 100

    let directory: ReleaseDirectory

    init(of directory: ReleaseDirectory) { self.directory = directory }

    /// Its path.
    var path: String { directory.path(Self.name) }

    /// Returns the path of the file that is sent to authors.
    func file(of release: Int) -> String { "\(path)/\(release).json" }

    private func identity(of release: Int) -> String { "\(path)/\(release).id" }

    private var names: [String] {
        // A folder that is missing has none.
        (try? Files.names(in: path)) ?? []
    }

    /// The number of the release that waits; `nil` when none does.
    var release: Int? {
        names.filter { $0.hasSuffix(".id") }.compactMap { Int($0.dropLast(3)) }.max()
    }

    // MARK: Reading

    /// Reads the release that waits, with the signatures of all copies that authors have made.
    ///
    /// - Parameter trusted: The present root, whose authors count.
    /// - Returns: `nil` when none waits.
    /// - Throws: `PublishingError` `unreadable` for a copy of something else.
    func load(_ trusted: TrustedMetadata) throws -> PendingRelease? {
        try ReleasePlace(directory: directory, content: "").checkNoLinks([Self.name])
        let names = names
        guard let release else { return nil }
        let copies = names.filter { $0.hasSuffix(".json") }
        guard copies.count <= Self.copiesMax else {
            throw PublishingError(
                .unreadable, "\(path) has more than \(Self.copiesMax) copies. Remove some.")
        }
        let text = try Files.read(identity(of: release), limit: Self.identityBytesMax)
        let id = Checksum(String(decoding: text, as: UTF8.self))
        var found: PendingRelease?
        for name in copies {
            let copy = "\(path)/\(name)"
            let pending = try PendingRelease(
                Files.read(copy, limit: PendingRelease.bytesMax), path: copy)
            guard pending.id == id else {
                throw PublishingError(
                    .unreadable,
                    "\(copy) is not the release \(release) that was left there to be signed. Remove it; a"
                        + " copy may only have more signatures.")
            }
            // A wrong signature in one copy must not take the place of a right one in another.
            found = found ?? pending.unsigned
            found?.add(trusted.validSignatures(pending.allSignatures, of: pending.document))
        }
        // One that was killed before the file was written, or whose file is gone, waits for nobody.
        return found
    }

    // MARK: Writing

    /// Lets a release wait.
    ///
    /// The identity comes first: without a copy of the release it stands for nothing.
    /// - Parameters:
    ///   - pending: The release.
    ///   - isNew: False for one that waits already and has more signatures now.
    /// - Throws: `PublishingError` `unwritable`.
    func save(_ pending: PendingRelease, isNew: Bool) throws {
        let bytes = pending.bytes
        // Also what has too many parts for those who are to read it.
        guard (try? PendingRelease(bytes, path: "")) != nil else {
            throw PublishingError(
                .unwritable,
                "Release \(pending.release) is too large to be sent to authors. Bring the keys into one"
                    + " folder.")
        }
        // What a run that was killed left there stands for nothing.
        if isNew { try remove() }
        try Files.makeFolder(path)
        Files.removeTemporaries(in: path)
        try Files.replace(
            identity(of: pending.release), Array(pending.id.description.utf8))
        try Files.replace(file(of: pending.release), bytes)
        for item in [identity(of: pending.release), file(of: pending.release), path] {
            try Files.sync(item)
        }
    }

    /// Forgets what waits, with all its copies.
    ///
    /// - Throws: `PublishingError` `unwritable`.
    func remove() throws {
        try ReleasePlace(directory: directory, content: "").checkNoLinks([Self.name])
        let names = names
        // Without its identity a copy stands for nothing.
        for name in names where name.hasSuffix(".id") { try Files.discard("\(path)/\(name)") }
        for name in names where name.hasSuffix(".json") { try Files.discard("\(path)/\(name)") }
        Files.removeTemporaries(in: path)
        Files.removeFolder(path)
    }
}
