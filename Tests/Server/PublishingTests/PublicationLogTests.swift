import Testing

@testable import Publishing

@Suite struct PublicationLogTests {
    private func log(_ entries: Publication...) -> PublicationLog {
        var log = PublicationLog()
        for entry in entries { log.add(entry) }
        return log
    }

    @Test func aLogIsReadAsItWasWritten() {
        let written = log(
            Publication(release: 1, seconds: 1_790_000_000, author: "Ada Lovelace@desk"),
            Publication(release: 2, seconds: 1_790_000_060, author: "", action: .rollback))
        #expect(PublicationLog(written.bytes) == written)
        #expect(written.publication(of: 2)?.action == .rollback)
        #expect(written.publication(of: 3) == nil)
    }

    @Test func anAuthorCannotAddALine() {
        let written = log(
            Publication(release: 1, seconds: 1, author: "ada\n2 2 publish eve\r\u{0}@desk"))
        #expect(PublicationLog(written.bytes).entries.map(\.author) == ["ada2 2 publish eve@desk"])
        let long = Publication(release: 1, seconds: 1, author: String(repeating: "ä", count: 999))
        #expect(long.author.count == 200)
    }

    @Test func aDamagedLineIsPassedOver() {
        let text =
            "underway-publications 1\n1 1 publish ada\nx\n2 2 other ada\n3 3 rollback b c\n4 4"
        let read = PublicationLog(Array(text.utf8))
        #expect(read.entries.map(\.release) == [1, 3])
        #expect(read.entries.last?.author == "b c")
        #expect(PublicationLog(Array("other\n1 1 publish ada\n".utf8)).entries == [])
        #expect(PublicationLog([]).entries == [])
    }

    @Test func aThousandAreKept() {
        var log = PublicationLog()
        for release in 1...1_200 {
            log.add(Publication(release: release, seconds: release, author: "a"))
        }
        #expect(log.entries.count == 1_000 && log.entries.last?.release == 1_200)
        #expect(PublicationLog(log.bytes) == log)
    }
}
