/// The address that a redirect leads to.
package struct RedirectTarget: Sendable, Hashable, CustomStringConvertible {
    /// The absolute address.
    package let url: String
    /// True when it is on another scheme, host or port than the address that was asked.
    package let leavesOrigin: Bool
    private let shown: String

    /// Reads the field `Location`; `nil` when it leads to no web server.
    ///
    /// - Parameters:
    ///   - location: Absolute, or relative to the address that was asked.
    ///   - url: The address that was asked.
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

    /// The address without its query, which may hold what is nobody else's business.
    package var description: String { shown }
}
