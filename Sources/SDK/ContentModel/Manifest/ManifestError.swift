/// An error of parsing a manifest.
///
/// ```swift
/// do throws(ManifestError) {
///     print(try Manifest(bytes).release)
/// } catch {
///     switch error.code {
///     case .unsupportedSchema: print("Update the app: the content has schema \(error.schema ?? 0).")
///     default: print(error.message)
///     }
/// }
/// ```
public typealias ManifestError = CodedError<ManifestErrorCode>

/// The kind of an error: an open set, so a `switch` over it needs a `default`.
public struct ManifestErrorCode: ErrorCode {
    /// The name of the kind, stable between versions.
    public let rawValue: String

    /// Creates a kind with a name; use the static members where one exists.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// More bytes than `ContentLimits.manifestBytesMax`.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// Bytes that do not match the expected checksum.
    public static let wrongChecksum = Self(rawValue: "wrongChecksum")
    /// A schema that is newer than this version of the app supports.
    public static let unsupportedSchema = Self(rawValue: "unsupportedSchema")
    /// Bytes that are not JSON, or values that do not match the schema.
    public static let invalid = Self(rawValue: "invalid")

    /// The additional values of an error.
    public struct Details: Hashable, Sendable {
        /// The schema of the content, if this version of the app does not support it.
        public var schema: Int?
        /// The list of all invalid values, if any; also the cause.
        public var content: ContentError?
    }
}

extension ManifestError {
    private init(_ code: Code, _ message: String, schema: Int? = nil, content: ContentError? = nil)
    {
        self.init(
            code, message, details: Code.Details(schema: schema, content: content), cause: content)
    }

    /// The error of a manifest that is larger than `ContentLimits.manifestBytesMax`.
    public static var tooLarge: Self {
        Self(
            .tooLarge,
            "The manifest is larger than \(ContentLimits.manifestBytesMax) bytes:"
                + " publish fewer files, or two libraries.")
    }

    /// The error of bytes that do not match the expected checksum.
    public static var wrongChecksum: Self {
        Self(
            .wrongChecksum,
            "The manifest does not have the checksum that was promised: fetch or publish it again."
        )
    }

    /// Reports that the schema is newer than this version of the app supports.
    public static func unsupportedSchema(_ schema: Int) -> Self {
        Self(
            .unsupportedSchema,
            "The content has schema \(schema), this app reads up to"
                + " \(Manifest.schemaVersion): update the app.", schema: schema)
    }

    /// Reports that the manifest is not JSON, or that its values do not match the schema.
    public static func invalid(_ content: ContentError) -> Self {
        Self(
            .invalid,
            "The manifest is not valid. \(content.description). Publish it again.",
            content: content)
    }
}
