public import ContentModel

/// The app's own check of each document before its generation is installed.
///
/// Any error refuses the document: the device uses the previous document and installs the rest of the release.
/// ``ReleaseVetoError`` refuses the whole release.
///
/// ```swift
/// struct Rules: Decodable { var needsMigration: Bool }
/// ```
///
/// ```swift
/// let decoder: ContentDecoder = { document, bytes in
///     guard document.key == "rules.json" else { return }
///     let rules = try JSONDecoder().decode(Rules.self, from: Data(bytes))
///     if rules.needsMigration { throw ReleaseVetoError("The rules need version 4 of the app.") }
/// }
/// print(decoder)
/// ```
public typealias ContentDecoder =
    @Sendable (_ document: EagerDocument, _ bytes: [UInt8]) throws -> Void
