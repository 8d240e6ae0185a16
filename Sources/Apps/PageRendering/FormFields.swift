import Foundation
package import Hummingbird

/// The fields of a sent form, in order (URL Standard, section 5.1).
package struct FormFields: Sendable {
    /// The maximum number of fields in a form.
    package static let countMax = 2_000

    private let fields: [(name: String, value: String)]
    private var files: [(name: String, file: FormFile)] = []
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

    private init(_ form: MultipartForm) {
        (fields, files, isCut) = (form.fields, form.files, form.isCut)
    }

    /// Reads the body of a request.
    ///
    /// A form is in the encoding of a URL, or in parts (`multipart/form-data`).
    ///
    /// - Throws: `HTTPError` 413 for more than `bytesMax` bytes, or more than ``countMax`` fields; 400 for parts that
    ///   cannot be told apart.
    package init(_ request: Request, bytesMax: Int) async throws {
        var request = request
        let body = try await request.collectBody(upTo: bytesMax)
        if let boundary = request.headers[.contentType].flatMap(MultipartForm.boundary) {
            guard
                let form = MultipartForm(
                    Data(body.readableBytesView), boundary: boundary, countMax: Self.countMax)
            else { throw HTTPError(.badRequest) }
            self.init(form)
        } else {
            self.init(String(buffer: body))
        }
        if isCut { throw HTTPError(.contentTooLarge) }
    }

    private static func decoded(_ text: Substring) -> String {
        let spaced = String(text.replacing("+", with: " "))
        return spaced.removingPercentEncoding ?? spaced
    }

    /// The first value of a name.
    package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The first file of a name.
    package func file(_ name: String) -> FormFile? { files.first { $0.name == name }?.file }

    /// Returns all values of a name.
    package func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
