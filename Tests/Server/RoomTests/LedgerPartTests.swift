import Foundation
import Testing
import UserData

@testable import Ledger

/// What is stored of results, days and devices.
@Suite struct LedgerPartTests {
    @Test func aRepeatedOperationIsToldOfALaterWrite() throws {
        let record = LogRow.sample("r", at: 4).record
        let later = LogRow.sample("r", at: 9).record
        let hash = Data([1])
        let verdict = try #require(StoredVerdict(.accepted(record), hash: hash))
        #expect(verdict.result(record) == .accepted(record))
        #expect(verdict.result(later) == .merged(later) && verdict.isApplied)
        #expect(verdict.isOn(hash) && !verdict.isOn(Data([2])) && !verdict.isOn(nil))
        let refused = try #require(StoredVerdict(.refused(.quota), hash: Data()))
        #expect(refused.result(later) == .refused(.quota) && !refused.isApplied)
        #expect(refused.isOn(hash), "one of an earlier version has no hash")
        let conflict = try #require(StoredVerdict(.conflict(theirs: record), hash: hash))
        #expect(conflict.result(later) == .conflict(theirs: later) && !conflict.isApplied)
    }

    /// A database of a later version may have kinds and reasons that this one does not know.
    @Test func unknownKindsAreMergedAndUnknownReasonsNotAllowed() {
        let record = LogRow.sample("r", at: 4).record
        func stored(_ kind: String, _ refusal: String) -> OperationResult {
            StoredVerdict(kind: kind, revision: 4, refusal: refusal, hash: Data()).result(record)
        }
        #expect(stored("queued", "") == .merged(record))
        #expect(stored("refused", "tooEarly") == .refused(.notAllowed))
    }

    private static func isLeap(_ year: Int64) -> Bool {
        if year % 400 == 0 { return true }
        return year % 4 == 0 && year % 100 != 0
    }

    /// Each first and last day of a month, by the calendar's own rule.
    @Test func daysAreDatesUntilTheYear9999() {
        let lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var day: Int64 = 0
        var wrong: [String] = []
        for year in Int64(1970)...9999 {
            let isLeap = Self.isLeap(year)
            for (index, usual) in lengths.enumerated() {
                let length: Int64 = isLeap && index == 1 ? 29 : usual
                for number in [1, length] {
                    let date = CivilDate(day: day + number - 1)
                    let month = Int64(index) + 1
                    if date.year != year || date.month != month || date.day != number {
                        wrong.append("\(year)-\(month)-\(number): \(date.text)")
                    }
                }
                day += length
            }
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(3))")
        #expect(day - 1 == AnswerTally.dayMax)
        #expect(CivilDate(day: 0).text == "1970-01-01")
        #expect(CivilDate(day: AnswerTally.dayMax).text == "9999-12-31")
    }

    private func device(_ name: String, seen: Int64, unread: Bool = false) -> LedgerDevice {
        var device = LedgerDevice(client: ClientID(name))
        device.lastSeenAt = seen
        device.unreadResults = unread ? 1 : 0
        return device
    }

    private func makeRoom(_ devices: [LedgerDevice], inUse: Int, retired: Int = 9) -> LedgerChanges
    {
        var ledger = Ledger(rules: [CollectionRules]())
        ledger.limits.devicesPerUserMax = inUse
        ledger.limits.retiredDevicesMax = retired
        var snapshot = LedgerSnapshot(account: LedgerAccount())
        snapshot.devices = devices
        var decision = AccountDecision(ledger: ledger, now: 1, snapshot: snapshot)
        decision.makeRoomForDevice()
        return decision.finished
    }

    @Test func theDeviceThatWasAwayLongestMakesRoom() {
        let devices = [
            device("waiting", seen: 1, unread: true), device("b", seen: 3), device("a", seen: 3),
            device("c", seen: 4), device("answers alone", seen: 0),
        ]
        #expect(makeRoom(devices, inUse: 5).retired.isEmpty)
        #expect(makeRoom(devices, inUse: 4).retired == [ClientID("b")], "the first of two alike")
        #expect(makeRoom(devices, inUse: 2).retired == ["b", "a", "c"].map { ClientID($0) })
        #expect(makeRoom(devices, inUse: 1).retired.last == ClientID("waiting"))
    }

    @Test func onlyTheLastRetiredDevicesAreRemembered() {
        var old = device("old", seen: 1)
        old.isRetired = true
        let devices = [old, device("b", seen: 3), device("c", seen: 4)]
        #expect(makeRoom(devices, inUse: 2, retired: 2).forgotten.isEmpty)
        let changes = makeRoom(devices, inUse: 2, retired: 1)
        #expect(changes.retired == [ClientID("b")] && changes.forgotten == [ClientID("old")])
        #expect(
            makeRoom(devices, inUse: 1, retired: 0).forgotten == ["b", "c"].map { ClientID($0) })
    }
}
