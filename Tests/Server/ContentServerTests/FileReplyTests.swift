import NIOCore
import Testing

@testable import ContentServer

@Suite struct FileReplyTests {
    private let file = ServedFile(
        contentType: "application/json", isImmutable: true,
        representations: [
            .init(coding: .brotli, entityTag: "\"eb\"", size: 30, body: nil, path: ""),
            .init(coding: .gzip, entityTag: "\"eg\"", size: 40, body: nil, path: ""),
            .init(coding: .identity, entityTag: "\"e\"", size: 100, body: nil, path: ""),
        ])

    private func answer(_ request: FileRequest) -> FileReply { FileReply(request, to: file) }

    @Test func theBestAcceptedEncodingIsChosen() {
        #expect(answer(FileRequest()) == .whole(representation: 2))
        #expect(answer(FileRequest(acceptEncoding: "gzip")) == .whole(representation: 1))
        #expect(answer(FileRequest(acceptEncoding: "gzip, br")) == .whole(representation: 0))
    }

    @Test func theTagIsThatOfTheEncoding() {
        #expect(answer(FileRequest(ifNoneMatch: "\"e\"")) == .notModified(representation: 2))
        #expect(
            answer(FileRequest(ifNoneMatch: "\"e\"", acceptEncoding: "gzip"))
                == .whole(representation: 1))
        #expect(
            answer(FileRequest(ifNoneMatch: "\"eg\"", acceptEncoding: "gzip"))
                == .notModified(representation: 1))
    }

    @Test(arguments: [
        ("bytes=0-0", FileReply.part(0..<1)), ("bytes=10-", .part(10..<100)),
        ("bytes=-5", .part(95..<100)), ("bytes=-500", .part(0..<100)),
        ("bytes=90-500", .part(90..<100)), ("bytes=100-", .unsatisfiableRange),
        ("bytes=-0", .unsatisfiableRange), ("bytes=5-4", .whole(representation: 2)),
        ("bytes=a-b", .whole(representation: 2)), ("bytes=0-1,3-4", .whole(representation: 2)),
        ("lines=1-2", .whole(representation: 2)), ("bytes=--1", .whole(representation: 2)),
        ("bytes=99999999999999999999-", .whole(representation: 2)),
    ])
    func oneRangeIsAnswered(range: String, expected: FileReply) {
        #expect(answer(FileRequest(acceptEncoding: "gzip", range: range)) == expected)
    }

    @Test func aRangeIsIgnoredWhenTheFileIsAnother() {
        #expect(
            answer(FileRequest(range: "bytes=1-", ifRange: "\"x\"")) == .whole(representation: 2))
        #expect(answer(FileRequest(range: "bytes=1-", ifRange: "\"e\"")) == .part(1..<100))
    }
}
