/// The recognition of a web page in place of a file: some hosts send one with status 200 for a missing file, and so do
/// networks that require a sign-in.
///
/// An asset may itself be a page: a page is only rejected together with a wrong checksum.
struct PageWatch {
    private let isPossible: Bool
    private var start: [UInt8] = []

    /// Creates a recognition from the head of a reply.
    ///
    /// - Parameters:
    ///   - isJSON: True when the file is JSON, which no page can be.
    ///   - response: The reply before its body.
    init(isJSON: Bool, _ response: TransportResponse) {
        isPossible =
            response.status == 200 && (isJSON || WebPage.isType(response.headers["content-type"]))
    }

    /// Appends the next bytes of the body.
    mutating func append(_ piece: [UInt8]) {
        guard isPossible, start.count < WebPage.examinedBytesMax else { return }
        start += piece.prefix(WebPage.examinedBytesMax - start.count)
    }

    /// True when the body begins as a page does.
    var isPage: Bool { isPossible && WebPage.begins(start) }
}
