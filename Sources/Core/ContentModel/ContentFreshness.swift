public import Foundation

/// Where content that is shown came from.
public enum ContentSource: String, Sendable, Hashable, CaseIterable {
    /// From a release that this device fetched and verified.
    case downloaded
    /// From the generation that was shipped in the app.
    case bundled
}

/// How fresh the content on a screen is.
///
/// A screen needs only this, not the store.
public struct ContentFreshness: Hashable, Sendable {
    /// Where it came from.
    public var source: ContentSource
    /// The number of its release.
    public var release: Int
    /// When this device installed it.
    public var installedAt: Date
    /// True when what the newest generation has cannot be used and this is an older one.
    public var isFallback: Bool
    /// The newer document that this version of the app cannot read, where there is one.
    public var refused: RefusedDocument?
    /// How many of its parts, such as questions, are left out because this version cannot read them.
    public var leftOutCount: Int

    /// Describes the freshness of some content.
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

    /// Seconds since the content was installed, never negative even if the clock went back.
    public func age(now: Date) -> TimeInterval { max(0, now.timeIntervalSince(installedAt)) }
}

/// A value together with how fresh it is.
public struct Fresh<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// How fresh it is.
    public var freshness: ContentFreshness

    /// Pairs a value with its freshness.
    public init(_ value: Value, _ freshness: ContentFreshness) {
        self.value = value
        self.freshness = freshness
    }
}
