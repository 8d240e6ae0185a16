/// Looks at the start of a reply for a web page, as hosts send it with status 200 where they have no such
/// file, and networks that want a sign-in.
///
/// An asset may be a page itself: only a wrong checksum makes a page of it that is not wanted.
struct PageWatch {
    private let isPossible: Bool
    private var start: [UInt8] = []

    /// Looks at a reply.
    ///
    /// - Parameters:
    ///   - isJSON: True when the file is JSON, which no page can be.
    ///   - response: The reply before its body.
    init(isJSON: Bool, _ response: TransportResponse) {
        isPossible =
            response.status == 200 && (isJSON || WebPage.isType(response.headers["content-type"]))
    }

    /// Takes the next bytes of the body.
    mutating func take(_ piece: [UInt8]) {
        guard isPossible, start.count < WebPage.bytesToJudge else { return }
        start += piece.prefix(WebPage.bytesToJudge - start.count)
    }

    /// True when what came begins as a page does.
    var isPage: Bool { isPossible && WebPage.begins(start) }
}
