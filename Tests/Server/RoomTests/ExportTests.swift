import ContentModel
import ServiceAPI
import Testing
import UserData

@testable import ContentServer
@testable import Ledger

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

    /// Each by its name; one that is missing has no member.
    @Test func everyNumberOfAnAnswerIsExported() async throws {
        let service = try await ServiceFixture()
        let user = try await service.user().user
        let whole = AnswerRow(
            bank: "es", session: "s", question: "q", isCorrect: true, credit: 0.25, rating: 3,
            takenMilliseconds: 4, exposuresBefore: 5, mode: "m", isRandomlySelected: true,
            milliseconds: 6, offsetMinutes: -7)
        let bare = AnswerRow(
            bank: "es", session: "s", question: "q", isCorrect: false, takenMilliseconds: 8,
            exposuresBefore: 9, mode: "m", milliseconds: 10)
        _ = try await service.answer(user, client: "e", [whole, bare])
        let root = try JSONParser.parse(try await read(service.users.export(user)).flatMap(\.self))
        guard case .array(let answers)? = root.member("answers")?.value.content else {
            Issue.record("the answers are missing")
            return
        }
        let values = answers.map { answer in
            AnswerField.allCases.map { field in
                answer.member(field.rawValue).map { "\($0.value.content)" } ?? "none"
            }.joined(separator: " ")
        }
        #expect(
            values == [
                "bool(true) bool(true) integer(3) decimal(0.25) integer(4) integer(5) integer(6) integer(-7)",
                "bool(false) bool(false) none integer(0) integer(8) integer(9) integer(10) none",
            ])
    }

    @Test func aRetractedAnswerIsMarked() async throws {
        let service = try await ServiceFixture()
        let user = try await service.user().user
        let answer = ServiceFixture.row("q1")
        let undo = answer.retraction(
            of: AnswerID(client: ClientID("e"), number: 1), at: answer.milliseconds,
            offsetMinutes: nil)
        _ = try await service.answer(user, client: "e", [answer, ServiceFixture.row("q2"), undo])
        let root = try JSONParser.parse(try await read(service.users.export(user)).flatMap(\.self))
        guard case .array(let answers)? = root.member("answers")?.value.content else {
            Issue.record("the answers are missing")
            return
        }
        let marks = answers.map { answer in
            answer.member("retractedBy").map { mark in
                ["device", "number"].map { "\(mark.value.member($0)?.value.content ?? .null)" }
            }
        }
        #expect(marks == [["string(\"e\")", "integer(3)"], nil, nil])
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

    /// An account with answers of two devices.
    private func account(
        of service: ServiceFixture, answers count: Int
    ) async throws -> String {
        let user = try await service.user().user
        let rows = (1...count / 2).map {
            ServiceFixture.row("q\($0 % 50)", options: ["a", "b"])
        }
        for client in ["d", "e"] {
            _ = try await service.answer(user, client: client, rows)
        }
        return user
    }

    private func read(_ export: UserExport) async throws -> [[UInt8]] {
        var (export, pieces) = (export, [[UInt8]]())
        while let piece = try await export.next() { pieces.append(piece) }
        return pieces
    }

    @Test func fourTimesTheAnswersCostFourTimesTheProcessorTime() async throws {
        let service = try await ServiceFixture()
        var costs: [Duration] = []
        for count in [2_000, 8_000] {
            let user = try await account(of: service, answers: count)
            let threads = WorkerThreads("exports", count: 1)
            let pieces = try await read(
                UserExport(service: service.users, user: user, threads: threads))
            let root = try JSONParser.parse(pieces.flatMap(\.self))
            guard case .array(let answers)? = root.member("answers")?.value.content else {
                Issue.record("the answers are missing")
                return
            }
            #expect(answers.count == count)
            costs.append(threads.processorTime)
        }
        // A square would be 16 times; between it and 4 lies what a busy machine adds.
        #expect(costs[1] < costs[0] * 8, "\(costs)")
    }

    @Test func nothingIsReadOrEncodedAheadOfTheReader() async throws {
        let service = try await ServiceFixture()
        let user = try await account(of: service, answers: 8_000)
        let threads = WorkerThreads("exports", count: 1)
        var export = UserExport(service: service.users, user: user, threads: threads)
        for _ in 0..<4 { _ = try await export.next() }
        #expect(threads.jobCount == 2)
        let left = export
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup { group in
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    var left = left
                    _ = try await left.next()
                }
                try await group.waitForAll()
            }
        }
        #expect(threads.jobCount == 2)
    }

    @Test func anExportIsChargedByItsRowsToAccountAndAddress() async throws {
        let service = try await ServiceFixture()
        let large = try await account(of: service, answers: 2_000)
        // Of 100,000 rows a minute, each export takes 2,001 until none is left.
        for _ in 0..<50 { try await service.users.chargeExport(of: large, address: "here") }
        let code = await problemCode {
            try await service.users.chargeExport(of: large, address: "elsewhere")
        }
        #expect(code == .tooManyRequests)
        // The address has another allowance, of which the refused export took nothing.
        for _ in 0..<3 {
            let other = try await account(of: service, answers: 2_000)
            for _ in 0..<50 { try await service.users.chargeExport(of: other, address: "here") }
        }
        let other = try await service.user().user
        let refused = await problemCode {
            try await service.users.chargeExport(of: other, address: "here")
        }
        #expect(refused == .tooManyRequests)
        try await service.users.chargeExport(of: other, address: "elsewhere")
    }
}
