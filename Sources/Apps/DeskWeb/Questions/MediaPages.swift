import Accounts
import ContentServer
import HTTPTypes
import Hummingbird
import NIOCore
import Publishing

/// The pictures of questions, for the preview of their page.
struct MediaPages {
    let app: DeskApp

    var routes: [DeskRoute] {
        [.get("/media/:bank", .roles([.author, .publisher]), picture)]
    }

    /// Returns the address of a picture.
    static func path(of name: String, in bank: String) -> String {
        "\(DeskApp.prefix)/media/\(QuestionFilter.encoded(IndexedBank.pathName(of: bank)))"
            + "?name=\(AssetPages.encoded(name))"
    }

    private func picture(_ page: DeskRequest) async throws -> Response {
        let bank = IndexedBank.name(ofPath: try page.part("bank"))
        guard let name = page.query("name"),
            let sources = try await app.content.snapshot().bank(bank)?.sources
        else { throw HTTPError(.notFound) }
        let root = app.options.content
        let bytes = try await app.gate.run { try sources.media(name, root: root) }
        guard let bytes else { throw HTTPError(.notFound) }
        var headers: HTTPFields = [:]
        if let kind = PictureKind(bytes) {
            headers[.contentType] = kind.rawValue
        } else if Self.isDrawing(bytes) {
            headers[.contentType] = "image/svg+xml"
            // Opened by itself a drawing could hold a script: it runs nothing, and is of no origin.
            headers[.contentSecurityPolicy] =
                "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
        } else {
            throw HTTPError(.notFound)
        }
        return Response(
            status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Returns true for the beginning of a drawing in SVG.
    private static func isDrawing(_ bytes: [UInt8]) -> Bool {
        let head = String(decoding: bytes.prefix(1_000), as: UTF8.self)
        return head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }.hasPrefix("<")
            && head.contains("<svg")
    }
}
