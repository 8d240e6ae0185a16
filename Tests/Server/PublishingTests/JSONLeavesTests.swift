import ContentModel
import TestSupport
import Testing

@testable import Publishing

/// What differs in two documents differs in their leaves, so that nothing is signed unseen.
@Suite struct JSONLeavesTests {
    @Test func eachValueIsNamedByItsWay() throws {
        let json: JSONValue = [
            "a": ["b": 1, "c": []], "list": [["id": "x", "t": "T"], ["id": "y"]], "n": [1, true],
        ]
        #expect(
            json.leaves == [
                "a/b": 1, "a/c": [], "list/#": "x, y", "list/[x]/id": "x", "list/[x]/t": "T",
                "list/[y]/id": "y", "n/#": "0, 1", "n/[0]": 1, "n/[1]": true,
            ])
    }

    @Test func oneThatMovesIsNotAnother() {
        let (one, two): (JSONValue, JSONValue) = (["id": "1", "t": "A"], ["id": "2", "t": "B"])
        let changes = Blueprint.fieldChanges(
            JSONValue.array([one, two]).leaves, JSONValue.array([two, one]).leaves)
        #expect(changes == [.init(name: "#", old: "1, 2", new: "2, 1")])
    }

    /// Small documents of names that could be taken for each other.
    @Test(arguments: [UInt64.random(in: 0..<1_000_000), 1])
    func noTwoDocumentsHaveTheSameLeaves(seed: UInt64) {
        var chance = SeededGenerator(seed: seed)
        var known: [JSONValue: JSONValue] = [:]
        for _ in 0..<20_000 {
            let document = Self.document(depth: 3, &chance)
            if let other = known.updateValue(document, forKey: document.leaves) {
                #expect(other == document, "seed \(seed)")
            }
        }
        #expect(known.count > 1000)
    }

    private static func document(depth: Int, _ chance: inout SeededGenerator) -> JSONValue {
        let names = ["a", "b", "#", "[0]", "a/b", "~1", "id", "0", "a/[0]", ""]
        func name(_ chance: inout SeededGenerator) -> String {
            names.randomElement(using: &chance) ?? ""
        }
        switch Int.random(in: 0..<(depth == 0 ? 2 : 4), using: &chance) {
        case 0: return .integer(Int.random(in: 0...1, using: &chance))
        case 1: return .string(name(&chance))
        case 2:
            let count = Int.random(in: 0...2, using: &chance)
            return .array((0..<count).map { _ in document(depth: depth - 1, &chance) })
        default:
            var members: [String: JSONValue] = [:]
            for _ in 0..<Int.random(in: 0...2, using: &chance) {
                members[name(&chance)] = document(depth: depth - 1, &chance)
            }
            return .object(members)
        }
    }
}
