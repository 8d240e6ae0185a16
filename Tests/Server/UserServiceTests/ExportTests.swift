import ContentModel
import ServiceAPI
import Testing
import UserData
import UserService

@Suite struct ExportTests {
    @Test func aLargeAccountComesInPiecesThatMakeOneObject() async throws {
        let service = try await ServiceFixture()
        let user = try await service.user().user
        let text = FieldValue.text(String(repeating: "x", count: 16_000))
        for batch in UInt64(0)..<12 {
            let operations = (1...20).map {
                service.put("exams", "r\(batch)-\($0)", ["a": text, "b": text], batch * 20 + $0)
            }
            _ = try await service.send(user, number: batch + 1, operations)
        }
        _ = try await service.answer(user, client: "e", [ServiceFixture.row("q1")])
        var (export, bytes, largest) = (service.users.export(user), [UInt8](), 0)
        while let piece = try await export.next() {
            bytes += piece
            largest = max(largest, piece.count)
        }
        #expect(bytes.count > 7_000_000 && largest < ServiceLimits.replyBytesMax + 200_000)
        let root = try JSONParser.parse(bytes)
        let records = root.member("account")?.value.member("records")?.value.content
        guard case .array(let nodes)? = records,
            case .array(let answers)? = root.member("answers")?.value.content
        else {
            Issue.record("the lists are missing")
            return
        }
        #expect(nodes.count == 240 && answers.count == 1)
    }

    @Test func anEmptyAccountIsAnObjectToo() async throws {
        let service = try await ServiceFixture()
        var export = service.users.export(try await service.user().user)
        var bytes: [UInt8] = []
        while let piece = try await export.next() { bytes += piece }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasSuffix(#","records":[]},"answers":[]}"#))
        _ = try JSONParser.parse(bytes)
    }
}
