/// The publisher and the time of a release.
public struct Publication: Sendable, Hashable {
    /// The number of the release.
    public var release: Int
    /// The time, in seconds since 1970.
    public var seconds: Int
    /// The person, such as `ada@desk`; empty if unknown.
    public var author: String
    /// The action that created the release.
    public var action: Action

    /// The actions that create a release.
    public enum Action: String, Sendable, Hashable, CaseIterable {
        /// Publishing content.
        case publish
        /// Rolling back to an older release.
        case rollback
        /// Giving the same content to other devices.
        case rollout
    }

    /// Creates a publication; the author loses control characters, and all characters after the first 200.
    public init(release: Int, seconds: Int, author: String, action: Action = .publish) {
        self.release = release
        self.seconds = seconds
        let scalars = author.unicodeScalars.filter { $0.properties.generalCategory != .control }
        self.author = String(String.UnicodeScalarView(scalars).prefix(200))
        self.action = action
    }
}

/// The publisher's record of who made which release, in the release directory and never served.
///
/// It is written right after a release became current: a publish that is killed in between leaves no entry.
struct PublicationLog: Sendable, Equatable {
    static let path = ".underway/publications"
    private static let header = "underway-publications 1"
    /// The newest publications that are kept.
    private static let most = 1_000

    /// The publications, the newest last.
    private(set) var entries: [Publication] = []

    init() {}

    /// Reads a log; a line that is damaged is passed over.
    init(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first.map(String.init) == Self.header else { return }
        entries = lines.dropFirst().suffix(Self.most).compactMap { line in
            let fields = line.split(
                separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
            guard fields.count == 4, let release = Int(fields[0]), let seconds = Int(fields[1]),
                let action = Publication.Action(rawValue: String(fields[2]))
            else { return nil }
            return Publication(
                release: release, seconds: seconds, author: String(fields[3]), action: action)
        }
    }

    /// Adds a publication.
    mutating func add(_ publication: Publication) {
        entries = (entries + [publication]).suffix(Self.most)
    }

    /// One line a publication, its fields parted by spaces; the author is the last.
    var bytes: [UInt8] {
        let lines = entries.map { entry in
            "\(entry.release) \(entry.seconds) \(entry.action.rawValue) \(entry.author)"
        }
        return Array(([Self.header] + lines).joined(separator: "\n").utf8) + Array("\n".utf8)
    }

    /// Returns the publication of a release; `nil` if it is not in the log.
    func publication(of release: Int) -> Publication? {
        entries.last { $0.release == release }
    }
}
