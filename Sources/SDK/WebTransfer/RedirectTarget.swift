/// The target address of a redirect.
package struct RedirectTarget: Sendable, Hashable, CustomStringConvertible {
    /// The absolute address.
    package let url: String
    /// True when its scheme, host or port is not that of the request.
    package let leavesOrigin: Bool
    private let shown: String

    /// Parses the field `Location`; `nil` when it leads to no web server.
    ///
    /// - Parameters:
    ///   - location: The field, absolute or relative to the request.
    ///   - url: The address of the request.
    package init?(_ location: String?, from url: String) {
        guard let location, let base = WebAddress(url),
            let next = WebAddress(location, relativeTo: base)
        else { return nil }
        self.url = next.text
        leavesOrigin = next.origin != base.origin
        let path = next.target.prefix { $0 != "?" }
        shown = String((next.origin.description + path).prefix(Self.shownCharactersMax))
    }

    private static let shownCharactersMax = 200

    /// The address without its query, which may be private.
    package var description: String { shown }
}
