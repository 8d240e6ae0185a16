import Foundation
import Logging
import Testing

@testable import ContentServer

@Suite struct JSONLogHandlerTests {
    private func line(_ message: String, _ metadata: Logger.Metadata = [:]) -> String {
        let bytes = JSONLogHandler.line(
            message, .error, label: "underway.server", metadata,
            at: Date(timeIntervalSince1970: 1_790_000_000))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aMessageIsALineOfJSON() {
        #expect(
            line("the database failed", ["trace": "0af7", "reason": "gone"])
                == #"{"level":"error","logger":"underway.server","message":"the database failed","#
                + #""reason":"gone","time":"2026-09-21T14:13:20Z","trace":"0af7"}"# + "\n")
    }

    @Test func noTextEndsTheLineOrTheValue() throws {
        let text = "a \"b\"\n{\"level\":\"info\"}\u{0}\u{1B}[31m ä \u{2028}"
        let written = line(text, ["reason": "\(text)", "time": "never"])
        #expect(written.dropLast().allSatisfy { !$0.isNewline || $0 == "\u{2028}" })
        let json = try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String: String]
        #expect(json?["message"] == text && json?["reason"] == text)
        #expect(json?["_time"] == "never" && json?["time"] == "2026-09-21T14:13:20Z")
    }

    @Test func aLongTextIsCut() {
        #expect(line(String(repeating: "ä", count: 100_000)).utf8.count < 4_300)
    }
}
