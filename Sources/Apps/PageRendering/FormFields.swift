import Foundation
package import Hummingbird

/// The fields of a sent form, in order (URL Standard, section 5.1).
package struct FormFields: Sendable {
    /// The maximum number of fields in a form.
    package static let countMax = 2_000

    private let fields: [(name: String, value: String)]
    /// True when the form had more than ``countMax`` fields, so that some are missing here.
    package let isCut: Bool

    /// Parses `name=value&name=value`; fields beyond ``countMax`` are dropped.
    package init(_ text: String) {
        let pairs = text.split(separator: "&", maxSplits: Self.countMax)
        isCut = pairs.count > Self.countMax
        fields = pairs.prefix(Self.countMax).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    /// Parses the query of a URL in the encoding of a form, where a space is `+`.
    ///
    /// Fields beyond ``countMax`` are dropped.
    package init(queryOf request: Request) { self.init(request.uri.query ?? "") }

    /// Wraps fields.
    package init(_ fields: [(name: String, value: String)]) {
        self.fields = fields
        isCut = false
    }

    /// Reads the body of a request.
    ///
    /// - Throws: `HTTPError` 413 for more than `bytesMax` bytes, or more than ``countMax`` fields.
    package init(_ request: Request, bytesMax: Int) async throws {
        var request = request
        let body = try await request.collectBody(upTo: bytesMax)
        self.init(String(buffer: body))
        if isCut { throw HTTPError(.contentTooLarge) }
    }

    private static func decoded(_ text: Substring) -> String {
        let spaced = String(text.replacing("+", with: " "))
        return spaced.removingPercentEncoding ?? spaced
    }

    /// The first value of a name.
    package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Returns all values of a name.
    package func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
