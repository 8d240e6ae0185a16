import Foundation
import TestSupport
import Testing

@testable import Accounts

/// The journal's file, which is written anew at times.
@Suite struct RevocationJournalTests {
    private static let day: Int64 = 86_400_000

    /// A last line that was cut, and lines that are too old, have the file written anew.
    @Test(arguments: ["family 9 f\nfam", "family 9 f\n"])
    func aFileThatIsWrittenAnewKeepsMoves(rest: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "revocations")
        let now = 1000 * Self.day
        try folder.write(
            "move \(now) uA uB\naccount \(now) uC\nsessions \(now) uB 2 -\n" + rest,
            to: "revocations")
        try RevocationJournal(file: file).compact(now: now)
        let again = try RevocationJournal(file: file)
        #expect(
            Set(again.entries) == [
                .move("uA", into: "uB", at: now), .account("uC", at: now),
                .sessions(of: "uB", kept: "", tokenGeneration: 2, at: now),
            ])
    }
}
