import TestSupport
import Testing

@testable import Publishing

@Suite struct ReleaseIndexTests {
    @Test func anyDamagedByteIsNoticed() throws {
        let library = try Library()
        try library.publish()
        let bytes = try library.folder.read("release/" + ReleaseIndex.path)
        #expect(ReleaseIndex(bytes) != nil)
        var generator = SeededGenerator(seed: 12)
        for offset in bytes.indices {
            var damaged = bytes
            damaged[offset] ^= UInt8.random(in: 1...255, using: &generator)
            #expect(ReleaseIndex(damaged) == nil, "byte \(offset)")
        }
        for count in bytes.indices {
            #expect(ReleaseIndex(Array(bytes[..<count])) == nil, "\(count) bytes")
        }
        #expect(ReleaseIndex(bytes + [0]) == nil)
    }

    /// The sum may be right and the rest still not what this program wrote.
    @Test func numbersThatLeadOutOfTheIndexAreRefused() throws {
        let library = try Library()
        try library.publish()
        let bytes = try library.folder.read("release/" + ReleaseIndex.path)
        #expect(ReleaseIndex(ReleaseIndex.sealed(Array(bytes.dropLast(8)))) != nil)
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<2000 {
            var body = Array(bytes.dropLast(8))
            let offset = Int.random(in: 17..<body.count, using: &generator)
            body[offset] = UInt8.random(in: 0...255, using: &generator)
            if Bool.random(using: &generator) { body.removeLast(body.count - offset) }
            // Read without a crash, whatever comes of it; records are made when they are asked for.
            let index = ReleaseIndex(ReleaseIndex.sealed(body))
            if let index { #expect(Array(index.units).count == index.units.count) }
            if let index { #expect(Array(index.listings).count == index.listings.count) }
        }
    }

    /// An index of an earlier program is not trusted: it had no time of the last change of a file.
    @Test func afterAnIndexOfAnEarlierVersionEverythingIsReadOnceMore() throws {
        let library = try Library()
        try library.publish()
        try library.folder.write(
            "underway-index 1\nr\t1\tab\t1\t1\t1\t\t\nend\n", to: "release/" + ReleaseIndex.path)
        let summary = try library.publish()
        #expect(!summary.isNew && summary.release == 1 && summary.restored.isEmpty)
        #expect(summary.unitsBuilt == summary.unitsTotal)
        #expect(try library.publish().unitsBuilt == 0)
        try library.expectWhole()
    }
}
