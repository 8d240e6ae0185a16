import TestSupport
import Testing

@testable import Boards

/// The buckets of a board against a plain list of keys.
@Suite struct BucketTableTests {
    /// Splits and merges until nothing is left to do, with a list of keys in place of a database.
    private func settle(_ table: inout BucketTable, _ keys: [Int64]) {
        table.mergeSmall()
        let sorted = keys.sorted()
        while let part = table.overfull {
            let own = sorted.filter { $0 >= part.low && $0 < part.end }
            let cut = own[part.half] > part.low ? own[part.half] : own.first { $0 > part.low }
            table.split(part, at: cut.map { key in (key, own.count { $0 < key }) })
        }
    }

    @Test(arguments: [1 as UInt64, 2, 3])
    func countsStayTrueWhateverHappens(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var (table, keys): (BucketTable, [Int64]) = (BucketTable(), [])
        for round in 0..<8 {
            for _ in 0..<3_000 {
                let key = Int64.random(in: 0..<(round < 4 ? 2_000 : 1 << 60), using: &random)
                if round < 6 || Bool.random(using: &random) {
                    table.move(from: nil, to: key)
                    keys.append(key)
                } else if !keys.isEmpty {
                    let place = Int.random(in: 0..<keys.count, using: &random)
                    table.move(from: keys.remove(at: place), to: nil)
                }
            }
            settle(&table, keys)
            #expect(table.count == keys.count)
            #expect(table.buckets.first?.low == 0)
            for (index, bucket) in table.buckets.enumerated() {
                let end = index + 1 < table.buckets.count ? table.buckets[index + 1].low : .max
                #expect(bucket.count == keys.count { $0 >= bucket.low && $0 < end })
                #expect(bucket.count <= BucketTable.placesMax)
            }
        }
    }

    @Test func equalKeysStayInOneBucket() {
        var table = BucketTable()
        let keys = [Int64](repeating: 7, count: 5_000)
        for key in keys { table.move(from: nil, to: key) }
        settle(&table, keys)
        #expect(table.buckets.map(\.count).contains(5_000))
    }

    @Test func aTableSaysWhatToWrite() {
        let before = BucketTable([.init(low: 0, count: 300), .init(low: 50, count: 100)])
        var after = before
        after.move(from: nil, to: 7)
        after.mergeSmall()
        let changes = after.changes(since: before)
        #expect(changes.written == [.init(low: 0, count: 401)] && changes.removed == [50])
    }

    @Test(arguments: [(0, 0), (5, 1_800_000_000), (Int(Int32.max), 4_294_967_295)])
    func aKeyIsReadBack(score: Int, second: Int) {
        let standing = BoardStanding(score: score, second: Int64(second))
        #expect(BoardStanding(key: standing.key) == standing && standing.key >= 0)
    }
}
