public import Foundation

/// An error of reading a manifest.
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
public struct ManifestError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error: an open set, so a `switch` over it needs a `default`.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind, stable between versions.
        public let rawValue: String

        /// Names a kind; use the static members where there is one.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// More bytes than `ContentLimits.manifestBytesMax`.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// Bytes that do not match the expected checksum.
        public static let wrongChecksum = Code(rawValue: "wrongChecksum")
        /// A schema that is newer than this version of the app.
        public static let unsupportedSchema = Code(rawValue: "unsupportedSchema")
        /// Bytes that are not JSON, or values that do not match the schema.
        public static let invalid = Code(rawValue: "invalid")
    }

    /// The kind of error.
    public var code: Code
    /// The reason and the remedy, in English.
    public var message: String
    /// The schema of the content, where this version of the app does not support it.
    public var schema: Int?
    /// Everything that is wrong with the values, where they are not valid.
    public var content: ContentError?

    /// The error of the values, if any.
    public var cause: (any Error)? { content }

    /// The message.
    public var description: String { message }

    /// The message, for an alert; translate by ``code``.
    public var errorDescription: String? { message }
}

extension ManifestError {
    /// The error of a manifest that is larger than `ContentLimits.manifestBytesMax`.
    public static var tooLarge: Self {
        Self(
            code: .tooLarge,
            message: "The manifest is larger than \(ContentLimits.manifestBytesMax) bytes:"
                + " publish fewer files, or two libraries.")
    }

    /// The error of bytes that do not match the expected checksum.
    public static var wrongChecksum: Self {
        Self(
            code: .wrongChecksum,
            message:
                "The manifest does not have the checksum that was promised: fetch or publish it again."
        )
    }

    /// Reports that the schema is newer than this version of the app.
    public static func unsupportedSchema(_ schema: Int) -> Self {
        Self(
            code: .unsupportedSchema,
            message: "The content has schema \(schema), this app reads up to"
                + " \(Manifest.schemaVersion): update the app.", schema: schema)
    }

    /// Reports that the manifest is not JSON, or that its values do not match the schema.
    public static func invalid(_ content: ContentError) -> Self {
        Self(
            code: .invalid,
            message: "The manifest is not valid. \(content.description). Publish it again.",
            content: content)
    }
}
