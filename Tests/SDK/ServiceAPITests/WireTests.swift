import ContentModel
import TestSupport
import Testing
import UserData

@testable import ServiceAPI

/// Round trips of everything that crosses the network, and damaged bodies.
@Suite struct WireTests {
    private struct Maker {
        var random: SeededGenerator

        mutating func number(_ range: ClosedRange<Int>) -> Int {
            .random(in: range, using: &random)
        }

        mutating func text() -> String {
            let letters = ["a", "é", "日", "\"", "\\", "\n", "🚢", " ", "\u{1}"]
            return (0..<number(0...6)).map { _ in letters[number(0...(letters.count - 1))] }
                .joined()
        }

        mutating func client() -> ClientID { ClientID("device-\(number(1...3))") }

        mutating func time() -> HybridTime {
            HybridTime(milliseconds: Int64(number(0...1 << 45)), counter: UInt32(number(0...9)))
        }

        mutating func value() -> FieldValue {
            switch number(0...6) {
            case 0: .null
            case 1: .bool(Bool.random(using: &random))
            case 2: .integer(Int64(number(-(1 << 53)...(1 << 53))))
            case 3: .decimal(Double.random(in: -1e9...1e9, using: &random))
            case 4: .list([.text(text()), .integer(Int64(number(0...9)))])
            default: .text(text())
            }
        }

        mutating func fields() -> [String: FieldValue] {
            var fields: [String: FieldValue] = [:]
            for _ in 0..<number(0...4) { fields["f\(number(0...9))"] = value() }
            return fields
        }

        mutating func operationID() -> OperationID {
            OperationID(client: client(), counter: UInt64(number(1...1 << 40)))
        }

        mutating func record() -> UserRecord {
            var record = UserRecord(
                key: RecordKey("c\(number(0...3))", "id:\(number(0...99))"),
                revision: UInt64(number(0...1 << 40)), operation: operationID(), time: time())
            record.isDeleted = number(0...4) == 0
            record.schemaVersion = number(1...3)
            for (name, value) in fields() {
                let isPlain = number(0...1) == 0
                record.fields[name] = UserRecord.Field(
                    value: value, time: isPlain ? record.time : time(),
                    revision: isPlain ? record.revision : UInt64(number(0...99)),
                    writer: isPlain ? record.operation : operationID())
            }
            if number(0...3) == 0 {
                record.counterTotals["n"] = [
                    client(): CounterTotals(
                        added: Int64(number(0...99)), removed: Int64(number(0...9)))
                ]
            }
            if number(0...3) == 0 { record.overwritten[ClientID("lost")] = UInt64(number(1...99)) }
            if number(0...3) == 0 {
                record.overwrittenFields[client()] = ["f1": UInt64(number(1...99)), "f2": 3]
            }
            return record
        }

        mutating func change() -> Change {
            switch number(0...3) {
            case 0: .delete
            case 1: .count(field: "n", CounterTotals(added: Int64(number(0...99))))
            case 2: .restore(record())
            default: .put(fields())
            }
        }

        mutating func row() -> AnswerRow {
            AnswerRow(
                bank: "int/swift", session: "s\(number(0...3))", question: "q\(number(0...9))",
                domain: number(0...1) == 0 ? nil : "d\(number(0...2))",
                version: "v\(number(0...1))",
                options: response(), isCorrect: number(0...1) == 0,
                credit: number(0...3) == 0 ? 0.5 : nil,
                rating: number(0...2) == 0 ? nil : number(1...4),
                takenMilliseconds: Int64(number(0...90_000)),
                exposuresBefore: Int64(number(0...20)), mode: ["study", "exam"][number(0...1)],
                isRandomlySelected: number(0...1) == 0,
                milliseconds: Int64(number(0...2_000_000_000_000)),
                offsetMinutes: [nil, 60, 60, -570][number(0...3)])
        }

        /// Returns options, a number, or a response of a later version.
        mutating func response() -> [String] {
            switch number(0...5) {
            case 0: ["#number", "\(number(0...99)).5"]
            case 1: ["#later", text(), text()]
            default: (0..<number(0...3)).map { "o\($0)" }
            }
        }

        mutating func columns() -> AnswerColumns {
            let count = number(1...20)
            return AnswerColumns(
                span: AnswerSpan(
                    client: client(), first: UInt64(number(1...99)), count: count),
                rows: (0..<count).map { _ in number(0...9) == 0 ? nil : row() })
        }

        mutating func call() -> ExchangeCall {
            let device = client()
            let parts = (0..<number(0...2)).map { _ in columns() }
            let operations = (0..<number(0...5)).map { index in
                var operation = ChangeOperation(
                    id: OperationID(client: device, counter: UInt64(index + 1)),
                    key: RecordKey("c", "r\(number(0...9))"), change: change(),
                    seenRevision: UInt64(number(0...99)),
                    follows: number(0...1) == 0 ? nil : operationID(), time: time(),
                    schemaVersion: number(1...2))
                if case .count = operation.change, number(0...3) > 0 {
                    operation.from = CounterTotals(
                        added: Int64(number(0...9)), removed: Int64(number(0...9)))
                }
                return operation
            }
            return ExchangeCall(
                request: ExchangeRequest(
                    number: UInt64(number(1...1 << 40)), user: "u", client: device,
                    epoch: number(0...1) == 0 ? nil : "e", cursor: UInt64(number(0...99)),
                    head: number(0...1) == 0 ? nil : LogHead(position: 7, mark: "m"),
                    operations: operations, processedBefore: UInt64(number(0...9)),
                    knownAnswers: AnswerVector([client(): UInt64(number(1...9))]),
                    answers: parts.map(\.span), isReadingAnew: number(0...1) == 0),
                answers: parts)
        }

        mutating func reply(_ device: ClientID) -> ExchangeReply {
            var results: [OperationID: OperationResult] = [:]
            for counter in 0..<UInt64(number(0...5)) {
                let all: [OperationResult] = [
                    .accepted(record()), .merged(record()), .conflict(theirs: record()),
                    .refused(.quota), .retryLater,
                ]
                results[OperationID(client: device, counter: counter + 1)] = all[number(0...4)]
            }
            let parts = (0..<number(0...2)).map { _ in columns() }
            var digest = RecordDigest()
            digest.add(record())
            var response = ExchangeResponse(
                number: 3, epoch: "e", results: results,
                changes: (0..<number(0...3)).map { _ in record() }, cursor: 9,
                head: LogHead(position: 9, mark: "x"), hasMore: number(0...1) == 0,
                knownAnswers: AnswerVector([device: 4]), answers: parts.map(\.span),
                isTooOld: number(0...1) == 0, digest: digest)
            response.answerHashes = parts.map(\.hashes)
            let sum = SetDigest(parts.flatMap(\.hashes))
            response.answersDigest = number(0...1) == 0 ? nil : sum
            response.sums = number(0...1) == 0 ? nil : [device: sum]
            return ExchangeReply(response: response, answers: parts)
        }
    }

    @Test(arguments: 0..<300) func aCallComesBackAsItWas(seed: UInt64) throws {
        var maker = Maker(random: SeededGenerator(seed: seed))
        let call = maker.call()
        let again = try ExchangeCall(call.json.canonicalBytes)
        #expect(again.request == call.request && again.answers == call.answers)
        #expect(again.unreadable.isEmpty)
    }

    @Test(arguments: 0..<300) func theBytesOfFieldsAreCountedAsTheyAreWritten(seed: UInt64) {
        var maker = Maker(random: SeededGenerator(seed: seed))
        let fields = maker.fields()
        let written = FieldWire.json(fields).canonicalBytes.count
        let counted = Validity.encodedBytes(fields)
        // Lists and decimals may be counted as a few bytes more, but nothing as less.
        #expect((written - 1...written + 8 * fields.count).contains(counted), "seed \(seed)")
    }

    @Test(arguments: 0..<300) func aReplyComesBackAsItWas(seed: UInt64) throws {
        var maker = Maker(random: SeededGenerator(seed: seed))
        let reply = maker.reply(ClientID("device-1"))
        let again = try ExchangeReply(reply.json.canonicalBytes, client: ClientID("device-1"))
        #expect(again.response == reply.response && again.answers == reply.answers)
    }

    /// Each body is cut at every byte, and 200 bytes are changed by chance.
    @Test(arguments: 0..<20) func brokenBodiesAreRefusedOrRead(seed: UInt64) {
        var maker = Maker(random: SeededGenerator(seed: seed))
        let bytes = maker.call().json.canonicalBytes
        for end in bytes.indices {
            #expect(throws: WireError.self) { try ExchangeCall(Array(bytes[..<end])) }
        }
        for _ in 0..<200 {
            var broken = bytes
            broken[maker.number(0...(bytes.count - 1))] = UInt8(maker.number(0...255))
            // It is read or rejected; neither ends the process.
            _ = try? ExchangeCall(broken)
            _ = try? ExchangeReply(broken, client: ClientID("device-1"))
        }
    }

    private func call(operation: String) throws -> ExchangeCall {
        let body = """
            {"version":1,"user":"u","client":"d","request":1,"operations":[\(operation),
            {"n":2,"collection":"c","id":"good","put":{"a":1},"time":[5,0]}]}
            """
        return try ExchangeCall(Array(body.utf8))
    }

    @Test(arguments: [
        #"{"n":1,"collection":"c","id":"r","put":{"a":9007199254740993},"time":[5,0]}"#,
        #"{"n":1,"collection":"c","id":"r","put":{"a":"\u0000"},"time":[5,0]}"#,
        #"{"n":1,"collection":"c","id":"r","put":{"a":{"b":1}},"time":[5,0]}"#,
        #"{"n":1,"collection":"c","id":"r","put":{"a":[[1]]},"time":[5,0]}"#,
        #"{"n":1,"collection":"c","id":"r","put":{"0a":1},"time":[5,0]}"#,
        #"{"n":1,"collection":"c","id":"r","put":{"a":1},"time":[-5,0]}"#,
        #"{"n":1,"collection":"c","id":"r","put":{"a":1},"time":[5,4294967296]}"#,
        #"{"n":1,"collection":"c","id":"","put":{"a":1},"time":[5,0]}"#,
        #"{"n":1,"collection":"../c","id":"r","put":{"a":1},"time":[5,0]}"#,
        #"{"n":1,"collection":"c","id":"r","put":{"a":1},"delete":true,"time":[5,0]}"#,
        #"{"n":1,"collection":"c","id":"r","time":[5,0]}"#,
        #"{"n":1,"collection":"c","id":"r","count":["n",-1,0],"time":[5,0]}"#,
        #"{"n":1,"collection":"c","id":"r","delete":false,"time":[5,0]}"#,
    ])
    func oneBadOperationDoesNotSpoilTheOthers(operation: String) throws {
        let call = try call(operation: operation)
        #expect(call.unreadable == [OperationID(client: ClientID("d"), counter: 1): .badField])
        #expect(call.request.operations.map(\.key.id) == ["good"])
    }

    @Test(arguments: [
        "", "[]", "{}", "null", #"{"version":2}"#, "{\"version\":1,\"client\":\"\u{7F}\"}",
        #"{"version":1,"client":"d","request":1,"user":"u","user":"v"}"#,
        #"{"version":1,"client":"d","request":-1,"user":"u"}"#,
        #"{"version":1,"client":"d","request":1e300,"user":"u"}"#,
        #"{"version":1,"client":"d","request":1,"user":"u","operations":{}}"#,
        #"{"version":1,"client":"d","request":1,"user":"u","operations":[{"n":0}]}"#,
        #"{"version":1,"client":"d","request":1,"user":"u","head":[1]}"#,
        #"{"version":1,"client":"d","request":1,"user":"u","answers":[{"client":"d","first":0,"count":1}]}"#,
        #"{"version":1,"client":"d","request":1,"user":"u","answers":[{"client":"d","first":1,"count":9999999}]}"#,
    ])
    func aBodyThatIsNotOneIsRefusedWithItsPlace(body: String) {
        #expect(throws: WireError.self) { try ExchangeCall(Array(body.utf8)) }
    }

    @Test func columnsThatDoNotFitEachOtherAreRefused() throws {
        var maker = Maker(random: SeededGenerator(seed: 1))
        let good = maker.columns()
        guard case .object(let members) = good.json else { return }
        for name in ["bank", "mode", "question", "options", "correct", "taken", "date"] {
            var broken = members
            broken[name] = name == "correct" ? "1" : []
            let node = try JSONParser.parse(JSONValue.object(broken).canonicalBytes)
            if good.rows.count > 1 {
                #expect(throws: WireError.self, "\(name)") { try AnswerColumns(node) }
            }
        }
    }

    @Test func anAnswerOutOfRangeLeavesItsPlaceEmpty() throws {
        var rows = [AnswerRow?]()
        for index in 0..<3 {
            rows.append(
                AnswerRow(
                    bank: "b", session: "s", question: "q", isCorrect: true,
                    takenMilliseconds: index == 1 ? -5 : 5, exposuresBefore: 0, mode: "study",
                    milliseconds: 9))
        }
        let columns = AnswerColumns(
            span: AnswerSpan(client: ClientID("d"), first: 1, count: 3), rows: rows)
        let again = try AnswerColumns(try JSONParser.parse(columns.json.canonicalBytes))
        #expect(again.rows == [rows[0], nil, rows[2]])
    }

    private func columns(_ offsets: [Int?]) -> AnswerColumns {
        AnswerColumns(
            span: AnswerSpan(client: ClientID("d"), first: 1, count: offsets.count),
            rows: offsets.map {
                AnswerRow(
                    bank: "b", session: "s", question: "q", isCorrect: true, takenMilliseconds: 5,
                    exposuresBefore: 0, mode: "study", milliseconds: 9, offsetMinutes: $0)
            })
    }

    @Test func offsetsAreValuesAndRunLengths() throws {
        for (offsets, json) in [
            ([60, 60, nil, -570], [60, 2, .null, 1, -570, 1] as JSONValue),
            ([nil, 0], [.null, 1, 0, 1]),
        ] {
            let columns = columns(offsets)
            guard case .object(let members) = columns.json else { return }
            #expect(members["offset"] == json)
            let again = try AnswerColumns(try JSONParser.parse(columns.json.canonicalBytes))
            #expect(again.rows == columns.rows)
        }
        guard case .object(let without) = columns([nil, nil]).json else { return }
        #expect(without["offset"] == nil)
        let far = columns([1_081, -1_081, 1_080])
        let read = try AnswerColumns(try JSONParser.parse(far.json.canonicalBytes))
        #expect(read.rows.map { $0?.offsetMinutes } == [nil, nil, 1_080])
        #expect(read.rows.map { $0 == nil } == [true, true, false])
    }

    @Test(
        arguments: [
            [], [60], [60, 2], [60, 4], [60, 0, 60, 3], [60, -1, 60, 4], [60, 3, 60], ["60", 3],
            [60, 2, .decimal(1.5), 1], 60,
        ] as [JSONValue])
    func offsetsThatDoNotFitAreRefused(offset: JSONValue) throws {
        guard case .object(var members) = columns([60, 60, 60]).json else { return }
        members["offset"] = offset
        let node = try JSONParser.parse(JSONValue.object(members).canonicalBytes)
        #expect(throws: WireError.self) { try AnswerColumns(node) }
    }

    @Test func gzipIsBounded() throws {
        let zeros = [UInt8](repeating: 0, count: 5_000_000)
        let packed = try #require(Gzip.packed(zeros))
        #expect(packed.count < 10_000)
        #expect(try Gzip.unpacked(packed, bytesMax: 5_000_000) == zeros)
        #expect(throws: GzipError.tooLong) { try Gzip.unpacked(packed, bytesMax: 4_999_999) }
        #expect(throws: GzipError.damaged) {
            try Gzip.unpacked(Array(packed.dropLast(9)), bytesMax: 9_000_000)
        }
        #expect(throws: GzipError.damaged) { try Gzip.unpacked([1, 2, 3], bytesMax: 100) }
    }

    /// As clients of every version write and read it: kinds beside options stand in their column.
    @Test func aResponseStandsInTheColumnOfOptions() throws {
        let text = #"""
            {"bank":["b",3],"client":"d","correct":"100","count":3,"date":[5,0,0],\#
            "exposures":[0,0,0],"first":1,"mode":["study",3],"options":{"at":[0,1,2],\#
            "names":[["a","c"],["#number","9.81"],["#later","x",""]]},\#
            "question":{"at":[0,0,0],"names":[["q","v"]]},"random":"000","session":["s",3],\#
            "taken":[1,1,1]}
            """#
        let columns = try AnswerColumns(try JSONParser.parse(Array(text.utf8)))
        #expect(
            columns.rows.compactMap { $0?.options }.map(QuestionResponse.init(texts:))
                == [
                    ["a", "c"], .number(try #require(DecimalNumber("9.81"))),
                    .unknown(["#later", "x", ""]),
                ])
        #expect(String(decoding: columns.json.canonicalBytes, as: UTF8.self) == text)
    }
}
