import Testing

@testable import Telemetry

@Suite struct TraceContextTests {
    private static let known = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func aFieldIsParsedAndFormattedAgain() throws {
        let context = try #require(TraceContext(Self.known))

        #expect(context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(context.spanID == "00f067aa0ba902b7")
        #expect(context.isSampled && context.field == Self.known)
    }

    @Test func aChildIsAnotherSpanOfTheTrace() throws {
        var random = SeededGenerator(seed: 1)
        let parent = try #require(TraceContext(Self.known, state: "vendor=1"))
        let child = parent.child(using: &random)

        #expect(child.traceID == parent.traceID && child.spanID != parent.spanID)
        #expect(child.isSampled && child.state == "vendor=1")
        #expect(child.field == "00-\(parent.traceID)-\(child.spanID)-01")
    }

    @Test func aNewTraceIsNotSampledAndParsesAgain() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1_000 {
            let context = TraceContext(using: &random)
            #expect(!context.isSampled && context.field.utf8.count == 55)
            #expect(TraceContext(context.field) == context)
        }
    }

    @Test(arguments: [("00", false), ("01", true), ("02", false), ("03", true), ("ff", true)])
    func theLastBitOfTheFlagsIsSampledAndOthersAreNotPassedOn(flags: String, isSampled: Bool)
        throws
    {
        let context = try #require(TraceContext(Self.known.dropLast(2) + flags))

        #expect(context.isSampled == isSampled)
        #expect(context.field.hasSuffix(isSampled ? "-01" : "-00"))
    }

    @Test func aLaterVersionMayHaveMore() {
        let later = "cc" + Self.known.dropFirst(2)

        #expect(TraceContext(later)?.field == Self.known)
        #expect(TraceContext(later + "-what-the-future-brings")?.field == Self.known)
        #expect(TraceContext(later + "-") != nil)
        #expect(TraceContext(later + "0") == nil)
        #expect(TraceContext(later + "-" + String(repeating: "a", count: 201)) == nil)
    }

    @Test(arguments: [
        "", "00", known + "0", known + "-more", known + "-", "ff" + known.dropFirst(2),
        "ff" + known.dropFirst(2) + "-more", known.uppercased(), known.replacing("-", with: "_"),
        String(known.dropLast()), " " + known, known + " ",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e47\u{22}6-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473-600f067aa0ba902b7-01",
        "0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0A",
        String(repeating: "a", count: 10_000),
    ])
    func whatIsMalformedIsNone(field: String) {
        #expect(TraceContext(field) == nil)
    }

    @Test func aByteThatIsChangedIsNoticedOrAnotherIdentity() {
        let bytes = Array(Self.known.utf8)
        for index in bytes.indices {
            for byte in UInt8(0)...127 where byte != bytes[index] {
                var changed = bytes
                changed[index] = byte
                let field = String(decoding: changed, as: UTF8.self)
                guard let context = TraceContext(field) else { continue }
                let isSame = context.field.dropFirst(2) == field.dropFirst(2)
                #expect(isSame || index >= 53, "\(field)")
            }
        }
    }

    @Test func theStateOfOthersIsPassedOnUpTo512Bytes() {
        let longest = String(repeating: "a", count: 512)

        #expect(TraceContext(Self.known, state: "a=1, b@c=2")?.state == "a=1, b@c=2")
        #expect(TraceContext(Self.known, state: longest)?.state == longest)
        for bad in ["", longest + "a", "a=1\r\nx-evil: 1", "a=\u{0}", "a=é", "a=\u{7F}"] {
            #expect(TraceContext(Self.known, state: bad)?.state == nil, "\(bad)")
        }
    }
}
