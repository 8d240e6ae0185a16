package import HTTPTypes
package import Hummingbird

/// The header fields that bind a page to its origin.
package enum PageHeaders {
    /// The policy, which allows only own files: no inline code or style, no frame, no other host.
    package static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "media-src 'self'", "connect-src 'self'", "manifest-src 'self'", "form-action 'self'",
        "base-uri 'none'", "frame-ancestors 'none'",
    ].joined(separator: "; ")

    private static let fields: [(HTTPField.Name, String)] = [
        (.contentSecurityPolicy, policy), (.xContentTypeOptions, "nosniff"),
        (.cacheControl, "no-store"), (.referrerPolicy, "same-origin"),
        (.crossOriginOpenerPolicy, "same-origin"),
        (.crossOriginResourcePolicy, "same-origin"),
    ]

    /// Adds the missing fields to a response.
    package static func add(to response: inout Response) {
        for (name, value) in fields where response.headers[name] == nil {
            response.headers[name] = value
        }
    }
}

extension HTTPField.Name {
    private static func named(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is no name") }
        return name
    }

    package static let referrerPolicy = named("Referrer-Policy")
    package static let crossOriginOpenerPolicy = named("Cross-Origin-Opener-Policy")
    /// The site from which a browser sends a request (Fetch Metadata).
    package static let fetchSite = named("Sec-Fetch-Site")
}

extension Response {
    /// Returns a redirect to another page by GET, for any method (303).
    package static func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: path])
    }
}
