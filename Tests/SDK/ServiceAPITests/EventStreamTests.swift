import ContentModel
import ServiceAPI
import Testing

@Suite struct EventStreamTests {
    private static let events: [DevelopmentEvent] = [
        .release(17), .failure("the disk is full: \"x\"\nand more"), .problems([]),
        .problems([
            Problem(
                .schemaMismatch, file: "assets/a.json", position: .init(line: 3, column: 7),
                message: "größer", hint: "kleiner")
        ]),
    ]

    @Test(arguments: events)
    func writtenAndReadBackIsTheSame(event: DevelopmentEvent) {
        var parser = EventStreamParser()
        let messages = parser.append(event.message.bytes)
        #expect(messages.compactMap { DevelopmentEvent($0) } == [event])
    }

    @Test func piecesOfAnySizeGiveTheSameEvents() {
        let bytes = Self.events.flatMap { EventMessage.heartbeat + $0.message.bytes }
        for size in 1...bytes.count {
            var parser = EventStreamParser()
            var found: [DevelopmentEvent] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = bytes[start..<min(start + size, bytes.count)]
                found += parser.append(piece).compactMap { DevelopmentEvent($0) }
            }
            #expect(found == Self.events, "in pieces of \(size)")
        }
    }

    @Test(
        arguments: [
            ("event: a\r\ndata: 1\r\n\r\n", [EventMessage(name: "a", data: "1")]),
            ("data:1\ndata: 2\nretry: 1\n\n", [EventMessage(name: "", data: "1\n2")]),
            (
                "id: 7\ndata: 1\n\ndata: 2\n\nid\ndata: 3\n\n",
                [
                    EventMessage(name: "", id: "7", data: "1"),
                    EventMessage(name: "", id: "7", data: "2"),
                    EventMessage(name: "", data: "3"),
                ]
            ),
            ("event: a\n\ndata: 1\n\n", [EventMessage(name: "", data: "1")]),
            (": comment\n\ndata\n\n", [EventMessage(name: "", data: "")]),
            ("data: unfinished\n", []),
        ])
    func linesMeanWhatTheStandardSays(text: String, expected: [EventMessage]) {
        var parser = EventStreamParser()
        #expect(parser.append(Array(text.utf8)) == expected)
    }

    @Test func aMessageThatIsTooLongIsPassedOver() {
        var parser = EventStreamParser()
        let long = String(repeating: "x", count: EventStreamParser.messageBytesMax + 1)
        #expect(parser.append(Array("data: \(long)\n\n".utf8)) == [])
        #expect(parser.append(Array("data: 1\n\n".utf8)) == [EventMessage(name: "", data: "1")])
    }

    @Test(arguments: ["release", "problems", "failure", "other"])
    func whatIsNoEventIsPassedOver(name: String) {
        for data in ["", "{", "[]", "{}", #"{"release": "1"}"#]
        where !(name == "problems" && data == "{}") {
            let event = DevelopmentEvent(EventMessage(name: name, data: data))
            #expect(event == nil || event == .problems([]), "\(name) \(data)")
        }
    }
}
