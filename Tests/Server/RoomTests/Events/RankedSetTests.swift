import TestSupport
import Testing

@testable import LiveEvents

/// The order of places in memory, against sorting.
@Suite struct RankedSetTests {
    @Test(arguments: [1, 2, 3, 4])
    func aRankIsThatOfASortedList(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var set = RankedSet()
        var oracle: [Int64: Int64] = [:]
        for step in 0..<20_000 {
            let member = Int64.random(in: 1...6_000, using: &chance)
            if Int.random(in: 0..<4, using: &chance) == 0 {
                set.remove(member)
                oracle[member] = nil
            } else {
                // Many equal orders.
                let order = -Int64.random(in: 0...200, using: &chance)
                set.insert(member, order: order)
                oracle[member] = order
            }
            guard step % 2_000 == 1_999 else { continue }
            let sorted = oracle.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            #expect(set.count == sorted.count, "seed \(seed)")
            #expect(
                set.top(.max) == sorted.map { RankedMember(member: $0.key, order: $0.value) },
                "seed \(seed)")
            for (place, entry) in sorted.enumerated() where place % 97 == 0 {
                #expect(set.rank(of: entry.key) == place + 1, "seed \(seed)")
            }
            #expect(set.rank(of: 6_001) == nil)
        }
    }

    @Test func anEmptySetHasNoPlaces() {
        var set = RankedSet()
        set.remove(1)
        #expect(set.count == 0 && set.top(10) == [] && set.rank(of: 1) == nil)
        set.insert(1, order: 0)
        set.remove(1)
        #expect(set.count == 0 && set.top(10) == [])
    }
}
