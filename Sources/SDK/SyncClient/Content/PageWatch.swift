/// The recognition of a web page in place of a file, as hosts send it with status 200 for a file that they
/// do not have, and networks that want a sign-in.
///
/// An asset may be a page itself: only together with a wrong checksum is a page unwanted.
struct PageWatch {
    private let isPossible: Bool
    private var start: [UInt8] = []

    /// Begins with the head of a reply.
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
