public import Foundation

/// A document of the newest release that this version of the app cannot read.
///
/// The device shows the previous document instead. A later version of the app retries it.
///
/// ```swift
/// let refused = RefusedDocument(
///     kind: .exam, key: "ca/az-104", checksum: nil, release: 12, reason: "unknown schema",
///     refusedAt: .now, shownRelease: 11, isTriedAgain: false)
/// print("Update the app to see \(refused.key); it shows release \(refused.shownRelease ?? 0).")
/// ```
public struct RefusedDocument: Hashable, Sendable, CustomStringConvertible {
    /// The kind; `nil` for files that are fetched on demand.
    public var kind: EagerDocument.Kind?
    /// Its name in the manifest, truncated to 512 bytes.
    public var key: String
    /// The checksum of its bytes; `nil` if the manifest's entry is unreadable.
    public var checksum: Checksum?
    /// The release that contains it.
    public var release: Int
    /// The reason, truncated to 500 bytes.
    public var reason: String
    /// The time of the refusal.
    public var refusedAt: Date
    /// The release whose document is shown instead; `nil` if there is none.
    public var shownRelease: Int?
    /// True when the next sync retries it, because the app has another version or bans were lifted.
    public var isTriedAgain: Bool

    /// Creates a refusal.
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

    /// The document, its release and the reason.
    public var description: String {
        "\(kind?.rawValue ?? "files")\(key.isEmpty ? "" : " \"\(key)\"") of release \(release):"
            + " \(reason)"
    }
}

/// A document that is shown without the parts that this version of the app cannot read.
public struct PartialDocument: Hashable, Sendable, CustomStringConvertible {
    /// The kind.
    public var kind: EagerDocument.Kind
    /// Its name in the manifest.
    public var key: String
    /// The number of questions, texts, announcements or optional fields that are omitted.
    public var leftOutCount: Int
    /// The reason for the first of them.
    public var reason: String

    /// Creates a partial document.
    public init(kind: EagerDocument.Kind, key: String, leftOutCount: Int, reason: String) {
        self.kind = kind
        self.key = key
        self.leftOutCount = leftOutCount
        self.reason = reason
    }

    /// The document, the number of omitted parts, and the reason.
    public var description: String {
        "\(leftOutCount) of \(kind.rawValue)\(key.isEmpty ? "" : " \"\(key)\""): \(reason)"
    }
}
