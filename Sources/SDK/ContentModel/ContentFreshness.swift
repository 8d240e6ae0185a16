public import Foundation

/// The origin of the content on a screen.
public enum ContentSource: String, Sendable, Hashable, CaseIterable {
    /// A release that this device downloaded and verified.
    case downloaded
    /// The generation bundled with the app.
    case bundled
}

/// The freshness of the content on a screen.
///
/// ```swift
/// let freshness = ContentFreshness(
///     source: .bundled, release: 3, installedAt: Date(timeIntervalSinceNow: -3600))
/// print(freshness.source, freshness.age() >= 3600)
/// ```
public struct ContentFreshness: Hashable, Sendable {
    /// The origin.
    public var source: ContentSource
    /// The number of its release.
    public var release: Int
    /// The time at which this device installed it.
    public var installedAt: Date
    /// True when the content of the newest generation is unusable and an older one is shown.
    public var isFallback: Bool
    /// The newer document that this version of the app cannot read, if any.
    public var refused: RefusedDocument?
    /// The number of parts, such as questions, that are omitted because this version cannot read them.
    public var leftOutCount: Int

    /// Creates the freshness of some content.
    public init(
        source: ContentSource, release: Int, installedAt: Date, isFallback: Bool = false,
        refused: RefusedDocument? = nil, leftOutCount: Int = 0
    ) {
        self.source = source
        self.release = release
        self.installedAt = installedAt
        self.isFallback = isFallback
        self.refused = refused
        self.leftOutCount = leftOutCount
    }

    /// Returns the seconds since the content was installed, at least 0 even if the clock was set back.
    public func age(now: Date = .now) -> TimeInterval { max(0, now.timeIntervalSince(installedAt)) }
}

/// A value with its freshness.
public struct Fresh<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// The freshness of the value.
    public var freshness: ContentFreshness

    /// Creates a value with its freshness.
    public init(_ value: Value, _ freshness: ContentFreshness) {
        self.value = value
        self.freshness = freshness
    }
}
