import HTTPTypes
import ServerTestSupport
import TestSupport
import Testing

@testable import ContentServer

/// The place of a request in a trace.
@Suite struct TraceContextTests {
    private static let known = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    private func context(_ field: String?, seed: UInt64 = 1) -> TraceContext {
        var random = SeededGenerator(seed: seed)
        return TraceContext(field, using: &random)
    }

    @Test func aTraceGoesOnWithASpanOfOurs() {
        let context = context(Self.known)
        #expect(context.trace == "4bf92f3577b34da6a3ce929d0e0e4736" && context.flags == "01")
        #expect(context.span != "00f067aa0ba902b7" && context.span.count == 16)
        #expect(context.field == "00-4bf92f3577b34da6a3ce929d0e0e4736-\(context.span)-01")
    }

    @Test func aLaterVersionMayHaveMore() {
        let later = "cc" + Self.known.dropFirst(2)
        #expect(context(later + "-what-the-future-brings").trace.hasPrefix("4bf92f"))
        #expect(context(later).trace.hasPrefix("4bf92f"))
    }

    @Test(arguments: [
        nil, "", "00", known + "0", known + "-more", "ff" + known.dropFirst(2),
        known.uppercased(), known.replacing("-", with: "_"),
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e47\u{22}6-00f067aa0ba902b7-01",
        String(repeating: "a", count: 10_000),
    ])
    func whatIsNoTraceBeginsOne(field: String?) {
        let context = context(field)
        #expect(context.flags == "00" && context.trace != "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(context.field.utf8.count == 55)
        #expect(self.context(context.field, seed: 2).trace == context.trace)
    }

    @Test func eachReplyNamesItsTrace() async throws {
        let folder = try TemporaryFolder()
        let router = InProcessRouter(release: folder.path)
        let name = try #require(HTTPField.Name("traceparent"))
        for path in ["/health/live", "/none"] {
            let reply = try await router.send(.get, path, [name: Self.known])
            #expect(
                reply.headers[name]?.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") == true,
                "\(path)")
            let other = try await router.send(.get, path)
            #expect(other.headers[name]?.utf8.count == 55)
        }
    }
}
