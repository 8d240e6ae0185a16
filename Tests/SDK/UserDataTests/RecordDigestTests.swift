import Testing
import UserData

@Suite struct RecordDigestTests {
    private typealias Script = MachineScript

    private func record(_ id: String, _ number: Int64, revision: UInt64 = 1) -> UserRecord {
        Script.record(RecordKey("stars", id), number, revision: revision, by: Script.mine(1))
    }

    @Test func theOrderDoesNotMatter() {
        let records = (0..<9).map { record("\($0)", Int64($0)) }
        #expect(RecordDigest(records) == RecordDigest(records.reversed()))
        #expect(RecordDigest(records) != RecordDigest(records.dropLast()))
    }

    @Test func aRemovedRecordLeavesNothing() {
        var digest = RecordDigest([record("a", 1)])
        digest.add(record("b", 2))
        digest.remove(record("a", 1))
        #expect(digest == RecordDigest([record("b", 2)]))
        digest.remove(record("b", 2))
        #expect(digest == RecordDigest())
    }

    @Test func tombstonesDoNotCount() {
        var deleted = record("a", 1)
        deleted.isDeleted = true
        #expect(RecordDigest([deleted]) == RecordDigest())
        var digest = RecordDigest([record("b", 1)])
        digest.remove(deleted)
        #expect(digest == RecordDigest([record("b", 1)]))
    }

    @Test func whatADeviceShowsCounts() {
        let digest = RecordDigest([record("a", 1)])
        #expect(digest != RecordDigest([record("a", 2)]))
        #expect(digest != RecordDigest([record("b", 1)]))
        #expect(digest != RecordDigest([record("a", 1, revision: 2)]))
        var other = record("a", 1)
        other.fields["m"] = other.fields["n"]
        #expect(digest != RecordDigest([other]))
    }

    @Test func theWriterDoesNot() {
        let other = Script.record(
            RecordKey("stars", "a"), 1, revision: 1, by: Script.theirs(7), at: 5)
        #expect(RecordDigest([record("a", 1)]) == RecordDigest([other]))
    }

    @Test func kindsOfValuesDiffer() {
        let values: [FieldValue] = [
            .null, true, false, 0, 1, .decimal(1), "", "1", "i1", .list([]), .list([1]),
            .list(["1"]),
        ]
        let digests = values.map { value in
            var record = record("a", 1)
            record.fields["n"]?.value = value
            return RecordDigest([record])
        }
        #expect(Set(digests).count == values.count)
    }

    @Test func theTextIsReadBack() {
        for records in [[], [record("a", 1)], (0..<20).map { record("\($0)", 7) }] {
            let digest = RecordDigest(records)
            #expect(RecordDigest(text: digest.text) == digest)
        }
        #expect(RecordDigest().text == "0.0.0")
        #expect(RecordDigest([record("a", 1)]).text.hasPrefix("1."))
    }

    @Test(arguments: ["", "0.0", "0.0.0.0", "x.0.0", "0.0.", "-1.0.0", "0.0.1ffffffffffffffff"])
    func otherTextsAreNone(text: String) {
        #expect(RecordDigest(text: text) == nil)
    }
}
