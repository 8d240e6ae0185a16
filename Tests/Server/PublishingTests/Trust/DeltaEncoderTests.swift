import ContentModel
import Foundation
import ServiceAPI
import TestSupport
import Testing

@testable import Publishing

/// What the encoder writes, the decoder reads; and it is short where little has changed.
@Suite struct DeltaEncoderTests {
    private func decoded(_ window: [UInt8], _ base: [UInt8]) throws -> [UInt8] {
        var reader = ChangesetReader(window)
        let result = try DeltaWindow.decode(&reader, base: base, bytesMax: 1 << 24)
        #expect(reader.isAtEnd)
        return result
    }

    @Test func theVectorIsWritten() {
        let base = Array("{\"correct\":[3],\"stem\":\"What does Monday mean?\"}".utf8)
        let target = Array("{\"correct\":[1],\"stem\":\"What does Tuesday mean?\"}".utf8)
        #expect(
            HexDigits.encode(DeltaEncoder.window(target, from: base))
                == "3005060331547565731c021314051b000d24")
    }

    @Test func emptyAndShortFilesAreWritten() throws {
        let files: [[UInt8]] = [
            [], [1], Array("ab".utf8), Array(0..<20), Array(repeating: 7, count: 300),
        ]
        for base in files {
            for target in files {
                #expect(try decoded(DeltaEncoder.window(target, from: base), base) == target)
                #expect(try decoded(DeltaEncoder.window(adding: target), []) == target)
            }
        }
    }

    /// Text whose parts are changed, moved, removed, repeated and replaced.
    @Test(arguments: [UInt64.random(in: 0..<1_000_000), 1, 2, 3])
    func randomEditsComeBack(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let letters = Array("abcdefgh {}\":,".utf8)
            let base = (0..<Int.random(in: 0...4000, using: &chance)).map { _ in
                letters[Int.random(in: 0..<letters.count, using: &chance)]
            }
            var target = base
            for _ in 0..<Int.random(in: 0...12, using: &chance) {
                let place = Int.random(in: 0...target.count, using: &chance)
                let end = min(target.count, place + Int.random(in: 0...200, using: &chance))
                let part = Array(target[place..<end])
                switch Int.random(in: 0..<4, using: &chance) {
                case 0: target.removeSubrange(place..<end)
                case 1:
                    target.insert(
                        contentsOf: part, at: Int.random(in: 0...target.count, using: &chance))
                case 2:
                    target.replaceSubrange(
                        place..<end,
                        with: part.map { _ in UInt8.random(in: 0...255, using: &chance) })
                default: target.insert(UInt8.random(in: 0...255, using: &chance), at: place)
                }
            }
            let window = DeltaEncoder.window(target, from: base)
            #expect(try decoded(window, base) == target)
        }
    }

    @Test func aSmallEditIsShort() throws {
        let base = Array((0..<2000).map { "line \($0 * 7919 % 1000) of many\n" }.joined().utf8)
        var letter = base
        letter[20_000] ^= 1
        #expect(DeltaEncoder.window(letter, from: base).count < 24)
        var moved = base
        let part = Array(moved[1000..<1500])
        moved.removeSubrange(1000..<1500)
        moved.insert(contentsOf: part, at: 30_000)
        #expect(DeltaEncoder.window(moved, from: base).count < 40)
        var longer = base
        longer.insert(contentsOf: Array("a new question of some length".utf8), at: 25_000)
        #expect(DeltaEncoder.window(longer, from: base).count < 60)
    }

    /// The number of a release stands there.
    @Test(arguments: [("9", "10"), ("3", "33"), ("33", "3"), ("199", "200"), ("7", "12345")])
    func aNumberBeforeTheEndIsShort(former: String, number: String) throws {
        let lines = (0..<2000).map { "line \($0 * 7919 % 1000) of many\n" }.joined()
        func file(_ number: String) -> [UInt8] {
            Array((lines + "\"release\":\(number),\"v\":2}").utf8)
        }
        let window = DeltaEncoder.window(file(number), from: file(former))
        #expect(try decoded(window, file(former)) == file(number))
        #expect(window.count < 20 + number.count)
        // A file that is but the end of its base, and one that has hardly more than that.
        for dropped in 0...12 {
            let (target, base) = (
                Array(file(number).suffix(20)), Array(file(former).dropFirst(dropped))
            )
            #expect(try decoded(DeltaEncoder.window(target, from: base), base) == target)
            #expect(try decoded(DeltaEncoder.window(base, from: target), target) == base)
        }
    }

    @Test(arguments: [UInt64.random(in: 0..<1_000_000)])
    func damagedWindowsNeverCrash(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        let base = Array((0..<200).map { "word \($0) " }.joined().utf8)
        var target = base
        target.replaceSubrange(300..<320, with: Array("something else".utf8))
        let window = DeltaEncoder.window(target, from: base)
        for place in window.indices {
            for _ in 0..<12 {
                var damaged = window
                damaged[place] = UInt8.random(in: 0...255, using: &chance)
                var reader = ChangesetReader(damaged)
                // An error or other bytes: what is built is compared with a signature.
                _ = try? DeltaWindow.decode(&reader, base: base, bytesMax: 1 << 16)
            }
        }
    }

    @Test func checksumsArePairedByTheirOrder() {
        func keys(_ text: String) -> [UInt64] { text.utf8.map { UInt64($0) } }
        func pairs(_ base: String, _ new: String) -> [String] {
            OrdinalPairs(base: keys(base), new: keys(new)).changed
                .map { "\($0.new):\($0.base.map(String.init) ?? "-")" }
        }
        #expect(pairs("abc", "abc").isEmpty)
        #expect(pairs("abc", "aXc") == ["1:1"])
        #expect(pairs("abc", "aXbc") == ["1:-"])
        #expect(pairs("abc", "ac").isEmpty)
        #expect(pairs("abcd", "aXYd") == ["1:1", "2:2"])
        #expect(pairs("abcd", "aXd") == ["1:1"])
        #expect(pairs("", "ab") == ["0:-", "1:-"])
        #expect(pairs("abc", "cXa") == ["1:-"])
        #expect(pairs("aab", "aaX") == ["2:1"])
    }

    /// Against a dictionary: many keys, some of which are there more than once or hash alike.
    @Test(arguments: [UInt64.random(in: 0..<1_000_000), 1, 2, 3])
    func whatTheBaseLacksIsFound(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        for count in [0, 1, 2, 3, 4, 5, 31, 32, 33, 400] {
            let spacing = UInt64(1) << UInt64.random(in: 0...60, using: &chance)
            func keys() -> [UInt64] {
                (0..<count).map { _ in
                    UInt64.random(in: 0...UInt64(2 * count), using: &chance) &* spacing
                }
            }
            let (base, new) = (keys(), keys())
            let lacking = new.indices.filter { !Set(base).contains(new[$0]) }
            let pairs = OrdinalPairs(base: base, new: new).changed
            #expect(pairs.map(\.new) == lacking, "seed \(seed)")
            #expect(pairs.compactMap(\.base).allSatisfy(base.indices.contains), "seed \(seed)")
            #expect(OrdinalPairs.areUnique(new) == (Set(new).count == count), "seed \(seed)")
        }
    }

    /// Keys of which each is there once are compared place by place, and paired as all are.
    @Test(arguments: [UInt64.random(in: 0..<1_000_000), 1, 2, 3], [true, false])
    func uniqueKeysArePairedTheSame(seed: UInt64, isExchanged: Bool) {
        var chance = SeededGenerator(seed: seed)
        for count in [0, 1, 2, 3, 5, 8, 33, 400] {
            let keys = Set((0..<count).map { _ in UInt64.random(in: 0...9_999, using: &chance) })
            let new = keys.sorted().shuffled(using: &chance)
            var base = new
            for edit in 0..<(count / 3) {
                let one = Int.random(in: base.indices, using: &chance)
                let two = Int.random(in: base.indices, using: &chance)
                switch Int.random(in: 0..<6, using: &chance) {
                case 0 where isExchanged: base.swapAt(one, two)
                // One document goes and another one comes: all between move.
                case 1, 2:
                    base.remove(at: one)
                    base.insert(20_000 + UInt64(edit), at: two)
                case 3 where isExchanged: base[one] = base[two]
                default: base[one] = 10_000 + UInt64(edit)
                }
            }
            #expect(OrdinalPairs.areUnique(new), "seed \(seed)")
            let pairs = OrdinalPairs(base: base, new: new, areUnique: true).changed
            let known = Set(base)
            #expect(
                pairs.map(\.new) == new.indices.filter { !known.contains(new[$0]) },
                "seed \(seed)")
            guard !isExchanged else { continue }
            let all = OrdinalPairs(base: base, new: new).changed
            #expect(pairs.map(\.base) == all.map(\.base), "seed \(seed)")
        }
    }
}
