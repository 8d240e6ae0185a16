public import ContentModel
public import Foundation
import WebTransfer

/// A text that is not the address of a web server.
///
/// ```swift
/// do {
///     let server = try URL(address: "quiz.example.org")
///     print(server)
/// } catch {
///     print(error.code, error.message)  // missingScheme …
/// }
/// ```
public typealias AddressError = CodedError<AddressErrorCode>

/// The kind of a mistake: an open set, so a `switch` over it needs a `default`.
public struct AddressErrorCode: ErrorCode {
    /// The name of the kind, stable between versions.
    public let rawValue: String

    /// Creates a kind with a name; use the static members where one exists.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Text that does not begin with `http://` or `https://`.
    public static let missingScheme = Self(rawValue: "missingScheme")
    /// A user or a password before the host.
    public static let namesUser = Self(rawValue: "namesUser")
    /// A query or a fragment, to which paths cannot be appended.
    public static let hasQuery = Self(rawValue: "hasQuery")
    /// Text without a valid host or port.
    public static let badHost = Self(rawValue: "badHost")
}

extension URL {
    /// Parses the address of a server or a release, as a person types it or a file contains it.
    ///
    /// ```swift
    /// let release = try URL(address: "https://host.example/api/content/v2")
    /// print(release.host() ?? "")
    /// ```
    /// - Parameter text: The address, such as `https://host/api/content/v2`.
    /// - Throws: `AddressError`; show its message to the person who typed the address.
    public init(address text: String) throws(AddressError) {
        let lowercase = text.lowercased()
        guard lowercase.hasPrefix("http://") || lowercase.hasPrefix("https://") else {
            throw AddressError(
                .missingScheme,
                "\"\(text)\" is not an address. Begin it with https://, or with http:// for a server on"
                    + " this machine or where `allowsInsecureHTTP` (`--insecure-http`) is set.")
        }
        guard let components = URLComponents(string: text), let url = components.url else {
            throw AddressError(
                .badHost, "\"\(text)\" is not an address. Correct it, such as https://host.example."
            )
        }
        // The text is not repeated: it may hold a password.
        guard components.user == nil, components.password == nil else {
            throw AddressError(
                .namesUser, "The address names a user. Leave out what stands before the @.")
        }
        guard components.query == nil, components.fragment == nil else {
            throw AddressError(
                .hasQuery,
                "\"\(text)\" has a query or a fragment. Leave out the ? or # and the rest.")
        }
        guard WebOrigin(text) != nil else {
            throw AddressError(
                .badHost,
                "\"\(text)\" has no valid host or port. Correct it, such as https://host.example.")
        }
        self = url
    }
}
