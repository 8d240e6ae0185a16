import Foundation
import OfflineStore
import TestSupport
import Testing

@Suite struct OpeningTests {
    /// Each store has connections of its own, as another process would.
    @Test func manyMayOpenANewStoreAtOnce() throws {
        for round in 0..<30 {
            let folder = try TemporaryFolder()
            let failures = ManualClock(0)
            DispatchQueue.concurrentPerform(iterations: 6) { number in
                do {
                    try OfflineStore(folder: folder.url).set("n\(number)", "\(number)")
                    _ = try UserStore(folder: folder.url).status()
                } catch {
                    print("opening failed: \(error)")
                    failures.advance(1)
                }
            }
            #expect(failures.now.timeIntervalSince1970 == 0, "round \(round)")
            let store = try OfflineStore(folder: folder.url)
            for number in 0..<6 { #expect(try store.setting("n\(number)") == "\(number)") }
        }
    }
}
