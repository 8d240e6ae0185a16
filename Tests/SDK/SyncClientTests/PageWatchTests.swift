import Testing

@testable import SyncClient

/// A web page in place of a file, as a network sends it that wants a sign-in.
@Suite struct PageWatchTests {
    private func watch(
        _ pieces: [String], isJSON: Bool = true, status: Int = 200, type: String? = nil
    ) -> Bool {
        let response = TransportResponse(
            status: status, headers: type.map { ["content-type": $0] } ?? [:],
            body: .init { $0.finish() })
        var watch = PageWatch(isJSON: isJSON, response)
        for piece in pieces { watch.append(Array(piece.utf8)) }
        return watch.isPage
    }

    @Test func aPageIsKnownByItsFirstMarkInAnyPieces() {
        #expect(watch(["<html>"]) && watch(["\u{FEFF}\r\n", " \t", "<", "!doctype"]))
        #expect(!watch([]) && !watch(["  "]) && !watch(["{\"a\":\"<html>\"}"]))
        #expect(!watch([String(repeating: " ", count: WebPage.examinedBytesMax), "<html>"]))
    }

    /// An image or a page of the app's own may be of any bytes.
    @Test func anAssetIsAPageOnlyWhereTheHostSaysSo() {
        #expect(!watch(["<svg>"], isJSON: false))
        #expect(!watch(["<svg>"], isJSON: false, type: "image/svg+xml"))
        #expect(watch(["<svg>"], isJSON: false, type: "Text/HTML; charset=utf-8"))
        #expect(watch(["<p>"], isJSON: false, type: "application/xhtml+xml"))
        #expect(!watch(["<html>"], status: 206), "the rest of a file may begin with anything")
    }
}
