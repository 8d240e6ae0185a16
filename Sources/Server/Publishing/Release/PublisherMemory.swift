import ContentModel

/// The highest release number that was published from a content folder to each release directory, and the newest root
/// that signed it.
///
/// The content folder remembers them. Otherwise a release directory that is lost or restored from an old backup would
/// reuse numbers that devices have seen with other content, or get signatures of keys that devices no longer follow.
struct PublisherMemory: Sendable, Equatable {
    /// In the content folder; kept in git like the content.
    static let name = ".underway-published"
    /// The maximum number of release directories to remember; the lowest numbers are forgotten first.
    static let directoriesMax = 32

    /// By `DirectoryIdentity.identity`; roots by the same, and by the begin of the first root's checksum, after a prefix;
    /// versions of signatures, and those of a rollout, by that checksum after others.
    private(set) var numbers: [String: Int] = [:]

    private static let rootPrefix = "root:"
    /// More roots than anybody signs.
    private static let rootMax = 10_000
    private static let signedPrefix = "signed:"
    private static let rolloutPrefix = "rollout:"
    private static let bytesMax = 64 * 1024

    init(_ numbers: [String: Int]) { self.numbers = numbers }

    /// Reads the file; nothing is remembered where there is none.
    init(folder: String) {
        // A file that is gone or damaged helps no one and harms no one.
        guard let bytes = try? Files.read(folder + "/" + Self.name, limit: Self.bytesMax) else {
            return
        }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let fields = line.split(separator: " ")
            // After a merge in git a directory may stand there twice.
            guard fields.count == 2, let number = Int(fields[1]), number > 0 else { continue }
            numbers[String(fields[0])] = max(number, numbers[String(fields[0])] ?? 0)
        }
    }

    /// Returns the number that a release directory went up to before, if it has forgotten it.
    ///
    /// - Parameters:
    ///   - identity: The directory's.
    ///   - current: The number of its current release, 0 in an empty one: that one goes on after the
    ///     highest number of all directories.
    /// - Returns: `nil` when the directory knows its numbers.
    func forgotten(by identity: String, current: Int) -> Int? {
        let before = current == 0 ? releases.max() : numbers[identity]
        return before.flatMap { $0 > current ? $0 : nil }
    }

    private var releases: [Int] {
        numbers.filter { !$0.key.contains(":") }.map(\.value)
    }

    /// Rejects a release directory with older signatures than this content folder has made.
    ///
    /// - Throws: `PublishingError` `needsSignatures`.
    func checkNewest(
        _ trust: ReleaseTrust, directory path: String
    ) throws(PublishingError) {
        guard isBehind(trust) else { return }
        throw PublishingError(
            .needsSignatures,
            "The signatures in \(path) are older than the last ones made, for example because a backup was restored. Nothing was"
                + " changed. Run `underway publish --keys`, which checks all of the content and signs a release."
        )
    }

    /// Refuses a release directory without the newest root that signed it before.
    ///
    /// Signing with the older ones would look well, and no device would follow.
    /// - Parameters:
    ///   - identity: The directory's, which a copy may lack.
    ///   - trust: Its metadata; `nil` for none.
    ///   - folder: The content folder.
    ///   - path: The release directory.
    /// - Throws: `PublishingError` `unreadable`.
    func checkRoot(
        of identity: String, _ trust: ReleaseTrust?, folder: String, directory path: String
    ) throws(PublishingError) {
        try checkReadable(folder: folder)
        let keys = [identity, trust?.lineage].compactMap(\.self).map { Self.rootPrefix + $0 }
        let known = keys.compactMap { numbers[$0] }.max() ?? 0
        guard trust?.trusted.root.version ?? 0 < known else { return }
        throw PublishingError(
            .unreadable,
            "\(path)/metadata/\(known).root.json is missing, and devices have followed to it: the release directory is older, as"
                + " from a backup. Nothing was changed. Copy metadata/*.root.json there from a host or a newer backup;"
                + " `underway publish --keys` signs the rest. If it is lost, only a version of the app that pins a"
                + " new root helps: begin in a new release directory. (\(folder)/\(Self.name) remembers it; if the"
                + " number there is wrong, correct the line.)")
    }

    /// True when something was signed from this content folder.
    var remembersRoots: Bool { numbers.keys.contains { $0.hasPrefix(Self.rootPrefix) } }

    /// Returns the highest version of any metadata that was signed from this content folder under a first root; 0 for
    /// none.
    func signedVersion(of trust: ReleaseTrust) -> Int {
        numbers[Self.signedPrefix + trust.lineage] ?? 0
    }

    /// Returns true when what was signed last from this content folder under a first root went to some devices only.
    func lastWasRollout(_ trust: ReleaseTrust) -> Bool {
        numbers[Self.rolloutPrefix + trust.lineage].map { $0 == signedVersion(of: trust) } ?? false
    }

    /// Returns true when a release directory has older signatures than were made before, as one from a backup.
    func isBehind(_ trust: ReleaseTrust) -> Bool {
        trust.trusted.highestVersion < signedVersion(of: trust)
    }

    /// Notes the number of a release, and what signs it, unless higher ones are known; writes the file if it says something
    /// new.
    mutating func note(
        _ release: Int, of identity: String,
        signed: (trusted: TrustedMetadata, lineage: String, isRollout: Bool)? = nil, folder: String
    ) {
        var found = [identity: release]
        if let signed {
            for key in [identity, signed.lineage] {
                found[Self.rootPrefix + key] = signed.trusted.root.version
            }
            found[Self.signedPrefix + signed.lineage] = signed.trusted.highestVersion
            if signed.isRollout {
                found[Self.rolloutPrefix + signed.lineage] = signed.trusted.highestVersion
            }
        }
        // Another publish, to another directory, may have noted its own meanwhile.
        numbers.merge(Self(folder: folder).numbers, uniquingKeysWith: max)
        guard found.contains(where: { $0.value > numbers[$0.key] ?? 0 }) else { return }
        numbers.merge(found, uniquingKeysWith: max)
        let kept = [true, false].flatMap { isRelease in
            numbers.filter { !$0.key.contains(":") == isRelease }
                .sorted { ($0.value, $0.key) > ($1.value, $1.key) }
                .prefix(isRelease ? Self.directoriesMax : 4 * Self.directoriesMax)
        }
        let text = kept.map { "\($0.key) \($0.value)\n" }.sorted().joined()
        // A content folder that cannot be written, as in many builds, is published all the same.
        try? Files.replace(folder + "/" + Self.name, Array(text.utf8))
    }
}

extension PublisherMemory {
    /// The highest number that every reader of JSON keeps exactly.
    static let numberMax = 1 << 53 - 1

    /// Refuses a file that is not read because of its size: a memory that is lost would be taken for a new one.
    private func checkReadable(folder: String) throws(PublishingError) {
        guard let look = Files.look(folder + "/" + Self.name), look.stamp.size > Self.bytesMax
        else { return }
        throw PublishingError(
            .unreadable,
            "\(folder)/\(Self.name) has \(look.stamp.size) bytes; at most \(Self.bytesMax) are allowed. Take the file from"
                + " git: it remembers which releases devices have seen.")
    }

    /// Refuses a number after which there is no other.
    ///
    /// - Throws: `PublishingError` `unreadable`.
    func checkRoom(folder: String) throws(PublishingError) {
        try checkReadable(folder: folder)
        if let root = numbers.first(where: {
            $0.key.hasPrefix(Self.rootPrefix) && $0.value > Self.rootMax
        }) {
            throw PublishingError(
                .unreadable,
                "\(folder)/\(Self.name) names root \(root.value), which cannot be. Correct the line \(root.key), or take the"
                    + " file from git.")
        }
        guard let highest = releases.max(), highest >= Self.numberMax else { return }
        throw PublishingError(
            .unreadable,
            "\(folder)/\(Self.name) names release \(highest), after which there is no other."
                + " Remove that line, or take the file from git.")
    }
}

extension TrustedMetadata {
    /// The highest version of the files that are signed at each publish.
    fileprivate var highestVersion: Int {
        [TrustRole.targets, .snapshot, .timestamp].compactMap { file($0)?.version }.max() ?? 0
    }
}
