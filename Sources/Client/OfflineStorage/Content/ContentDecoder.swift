public import ContentModel

/// Judges a document before its generation is installed.
///
/// It throws any error to refuse the document: its predecessor stays in its place, and the rest of the
/// release is installed. It throws ``ReleaseVeto`` to refuse the whole release.
///
/// ```swift
/// let decoder: ContentDecoder = { document, bytes in
///     guard document.key == "rules.json" else { return }
///     let rules = try JSONDecoder().decode(Rules.self, from: Data(bytes))
///     if rules.needsMigration { throw ReleaseVeto("The rules need version 4 of the app.") }
/// }
/// ```
public typealias ContentDecoder =
    @Sendable (_ document: EagerDocument, _ bytes: [UInt8]) throws -> Void

/// What an app's decoder throws to refuse a whole release because of one document.
///
/// The release is banned on this device until the app is another version.
public struct ReleaseVeto: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why the release is refused, for the report.
    public var reason: String

    /// Refuses a release.
    public init(_ reason: String) { self.reason = reason }

    /// The reason.
    public var description: String { reason }
}
