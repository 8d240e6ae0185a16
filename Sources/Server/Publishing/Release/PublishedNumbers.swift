/// The highest release number that was published from a content folder to each release directory, and the newest root
/// that signed it.
///
/// A release directory that is lost, or comes back from an old backup, would begin again at a number
/// that devices have seen with other content, or be signed by keys that devices do not follow any more. The content folder
/// remembers.
struct PublishedNumbers: Sendable, Equatable {
    /// In the content folder; kept in git like the content.
    static let name = ".underway-published"
    /// The maximum number of release directories to remember; the lowest numbers are forgotten first.
    static let directoriesMax = 32

    /// By `ReleaseMarks.identity`; roots by the same after ``rootPrefix``.
    private(set) var numbers: [String: Int] = [:]

    private static let rootPrefix = "root:"

    /// Reads the file; nothing is remembered where there is none.
    init(folder: String) {
        // A file that is gone or damaged helps no one and harms no one.
        guard let bytes = try? Files.read(folder + "/" + Self.name, limit: 64 * 1024) else {
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
        numbers.filter { !$0.key.hasPrefix(Self.rootPrefix) }.map(\.value)
    }

    /// Refuses a release directory without the newest root that signed it before.
    ///
    /// Signing with the older ones would look well, and no device would follow.
    /// - Parameters:
    ///   - identity: The directory's.
    ///   - current: The version of its newest root, 0 for none.
    ///   - folder: The content folder.
    ///   - path: The release directory.
    /// - Throws: `PublishingError` `unreadable`.
    func expectRoot(
        of identity: String, current: Int, folder: String, directory path: String
    ) throws {
        let known = numbers[Self.rootPrefix + identity] ?? 0
        guard current < known else { return }
        throw PublishingError(
            .unreadable,
            "\(path)/metadata/\(known).root.json is missing, and devices have followed to it: the release directory is older, as"
                + " from a backup. Nothing was changed. Copy metadata/*.root.json there from a host or a newer backup;"
                + " `underway publish --keys` signs the rest. If it is lost, only a version of the app that pins a"
                + " new root helps: begin in a new release directory.")
    }

    /// Notes the newest root of a release directory, as a number.
    mutating func note(root version: Int, of identity: String, folder: String) {
        note(version, of: Self.rootPrefix + identity, folder: folder)
    }

    /// Notes a number unless a higher one is known, and writes the file if it says something new.
    mutating func note(_ number: Int, of identity: String, folder: String) {
        // Another publish, to another directory, may have noted its own meanwhile.
        numbers.merge(Self(folder: folder).numbers, uniquingKeysWith: max)
        guard number > numbers[identity] ?? 0 else { return }
        numbers[identity] = number
        let releases = numbers.filter { !$0.key.hasPrefix(Self.rootPrefix) }
        let kept = releases.sorted { ($0.value, $0.key) > ($1.value, $1.key) }
            .prefix(Self.directoriesMax)
            .flatMap { item in
                let root = Self.rootPrefix + item.key
                return [item] + (numbers[root].map { [(key: root, value: $0)] } ?? [])
            }
        let text = kept.map { "\($0.key) \($0.value)\n" }.sorted().joined()
        // A content folder that cannot be written, as in many builds, is published all the same.
        try? Files.replace(folder + "/" + Self.name, Array(text.utf8))
    }
}

extension PublishedNumbers {
    /// The highest number that every reader of JSON keeps exactly.
    static let numberMax = 1 << 53 - 1

    /// Refuses a number after which there is no other.
    ///
    /// - Throws: `PublishingError` `unreadable`.
    func expectRoom(folder: String) throws {
        guard let highest = releases.max(), highest >= Self.numberMax else { return }
        throw PublishingError(
            .unreadable,
            "\(folder)/\(Self.name) names release \(highest), after which there is no other."
                + " Remove that line, or take the file from git.")
    }
}
