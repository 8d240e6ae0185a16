public import Foundation

/// A document of the newest release that this version of the app cannot read.
///
/// What the device had before it is shown in its place. A later version of the app tries it again.
///
/// ```swift
/// for document in try store.refusedDocuments() { print("Update the app to see", document) }
/// ```
public struct RefusedDocument: Hashable, Sendable, CustomStringConvertible {
    /// What it is; `nil` for files that are fetched on demand.
    public var kind: EagerDocument.Kind?
    /// Its name as the manifest has it, at most 200 bytes of it.
    public var key: String
    /// The checksum of its bytes; `nil` where the manifest's entry cannot be read.
    public var checksum: Checksum?
    /// The release that brought it.
    public var release: Int
    /// Why it was refused, at most 500 bytes of it.
    public var reason: String
    /// When it was refused.
    public var refusedAt: Date
    /// The release whose document is shown in its place; `nil` where there is none.
    public var shownRelease: Int?
    /// True when the next sync tries it again, because the app is another version or bans were lifted.
    public var isTriedAgain: Bool

    /// Describes a refusal.
    public init(
        kind: EagerDocument.Kind?, key: String, checksum: Checksum?, release: Int, reason: String,
        refusedAt: Date, shownRelease: Int? = nil, isTriedAgain: Bool = false
    ) {
        self.kind = kind
        self.key = key
        self.checksum = checksum
        self.release = release
        self.reason = reason
        self.refusedAt = refusedAt
        self.shownRelease = shownRelease
        self.isTriedAgain = isTriedAgain
    }

    /// Which document of which release it is, and why it was refused.
    public var description: String {
        "\(kind?.rawValue ?? "files")\(key.isEmpty ? "" : " \"\(key)\"") of release \(release):"
            + " \(reason)"
    }
}

/// A document that is shown without some of its parts, because this version of the app cannot read them.
public struct PartialDocument: Hashable, Sendable, CustomStringConvertible {
    /// What it is.
    public var kind: EagerDocument.Kind
    /// Its name as the manifest has it.
    public var key: String
    /// How many questions, texts, announcements or optional fields are left out.
    public var leftOutCount: Int
    /// Why the first of them is.
    public var reason: String

    /// Describes what is left out of a document.
    public init(kind: EagerDocument.Kind, key: String, leftOutCount: Int, reason: String) {
        self.kind = kind
        self.key = key
        self.leftOutCount = leftOutCount
        self.reason = reason
    }

    /// How much of which document is left out, and why.
    public var description: String {
        "\(leftOutCount) of \(kind.rawValue)\(key.isEmpty ? "" : " \"\(key)\""): \(reason)"
    }
}
