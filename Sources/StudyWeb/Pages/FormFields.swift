import Foundation
import Hummingbird

/// The fields of a sent form, in the order in which they were sent (URL Standard, section 5.1).
struct FormFields: Sendable {
    /// The most fields of a form.
    static let countMax = 500

    private let fields: [(name: String, value: String)]

    /// Reads `name=value&name=value`; fields beyond ``countMax`` are left out.
    init(_ text: String) {
        fields = text.split(separator: "&").prefix(Self.countMax).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
        }
    }

    /// Wraps fields.
    init(_ fields: [(name: String, value: String)]) { self.fields = fields }

    /// Reads the body of a request.
    ///
    /// - Throws: `HTTPError` 413 for one that is too long.
    init(_ request: Request, _ context: StudyContext) async throws {
        var request = request
        let body = try await request.collectBody(upTo: context.maxUploadSize)
        self.init(String(buffer: body))
    }

    private static func decoded(_ text: Substring) -> String {
        let spaced = String(text.replacing("+", with: " "))
        return spaced.removingPercentEncoding ?? spaced
    }

    /// The first value of a name.
    subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All values of a name.
    func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
