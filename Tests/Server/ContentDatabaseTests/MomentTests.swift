import Foundation
import TestSupport
import Testing

@testable import ContentDatabase

@Suite struct MomentTests {
    @Test(arguments: [
        ("2026-11-22T10:00:00Z", "2026-11-22T10:00:00.000000Z"),
        ("2026-11-22t10:00:00.5+01:00", "2026-11-22T09:00:00.500000Z"),
        ("2024-02-29T23:59:60-00:30", "2024-03-01T00:30:00.000000Z"),
        ("1970-01-01T00:00:00.1234567Z", "1970-01-01T00:00:00.123456Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    ])
    func timesAreRead(text: String, canonical: String) {
        #expect(Moment(rfc3339: text)?.text == canonical)
    }

    @Test(arguments: [
        "", "2026-11-22", "2026-11-22T10:00:00", "2026-11-22 10:00:00Z", "2026-13-01T00:00:00Z",
        "2026-02-29T00:00:00Z", "2026-11-22T24:00:00Z", "2026-11-22T10:00:00.Z",
        "2026-11-22T10:00:00+1:00", "2026-11-22T10:00:00Zx", "1969-12-31T23:59:59Z",
        "٢٠٢٦-11-22T10:00:00Z", "+026-11-22T10:00:00Z", "infinity",
    ])
    func otherTextsAreNoTimes(text: String) { #expect(Moment(rfc3339: text) == nil) }

    @Test func textIsWhatFoundationWrites() throws {
        var random = SeededGenerator(seed: 14)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
        for _ in 0..<5_000 {
            let second = Int64.random(in: 0...253_402_300_799, using: &random)
            let text = Moment(microseconds: second * 1_000_000).text
            let expected = Date(timeIntervalSince1970: Double(second)).formatted(style)
            #expect(text == expected.replacing("Z", with: ".000000Z"), "seed 14, \(second)")
            #expect(Moment(rfc3339: text)?.microseconds == second * 1_000_000)
        }
    }
}
