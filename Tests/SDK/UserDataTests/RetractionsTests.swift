import Foundation
import TestSupport
import Testing

@testable import UserData

/// The rule of retractions against the vectors, in every order of arrival.
@Suite struct RetractionsTests {
    private struct Vectors: Decodable {
        struct Row: Decodable {
            var at: Name
            var milliseconds: Int64
            var bank: String
            var question: String
            var session: String
            var mode: String
            var isCorrect: Bool?
            var exposuresBefore: Int64?
            var retracts: Name?

            var row: AnswerRow {
                AnswerRow(
                    bank: bank, session: session, question: question,
                    options: retracts.map { AnswerRow.retraction(of: $0.id) } ?? ["a"],
                    isCorrect: isCorrect ?? false, takenMilliseconds: 0,
                    exposuresBefore: exposuresBefore ?? 0, mode: mode, milliseconds: milliseconds)
            }
        }

        /// A device and a number, as `["a", 1]`.
        struct Name: Decodable {
            var id: AnswerID

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                let client = ClientID(try container.decode(String.self))
                id = AnswerID(client: client, number: try container.decode(UInt64.self))
            }
        }

        struct Story: Decodable {
            var note: String
            var rows: [Row]
            var counted: [Name]
            var retractions: [Name]
        }

        var retractions: [Story]
    }

    private typealias Row = (id: AnswerID, row: AnswerRow)

    private let stories: [Vectors.Story]

    init() throws {
        stories = try JSONDecoder().decode(
            Vectors.self, from: Data(contentsOf: fixture("UserData/retractions.json"))
        ).retractions
    }

    private func permutations(_ rows: [Row]) -> [[Row]] {
        guard rows.count > 1 else { return [rows] }
        return rows.indices.flatMap { index in
            var rest = rows
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    @Test func theVectorsHoldInEveryOrder() {
        #expect(stories.count == 16)
        for story in stories {
            let rows = story.rows.map { (id: $0.at.id, row: $0.row) }
            for rows in permutations(rows) {
                let rule = Retractions(rows)
                let counted = rows.filter { !$0.row.isRetraction && !rule.isRetracted($0.id) }
                #expect(
                    Set(counted.map(\.id)) == Set(story.counted.map(\.id)),
                    Comment(rawValue: story.note))
                #expect(
                    Set(rule.holding.values) == Set(story.retractions.map(\.id)),
                    Comment(rawValue: story.note))
            }
        }
    }

    /// All stories at once, on devices of their own: those of one do not touch those of another.
    @Test(arguments: [1, 2, 3] as [UInt64]) func storiesTogetherHoldInARandomOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func id(_ name: Vectors.Name, _ story: Int) -> AnswerID {
            AnswerID(client: ClientID("\(story)-\(name.id.client.text)"), number: name.id.number)
        }
        var (rows, holding) = ([Row](), Set<AnswerID>())
        for (index, story) in stories.enumerated() {
            for one in story.rows {
                var row = one.row
                row.options = one.retracts.map { AnswerRow.retraction(of: id($0, index)) } ?? ["a"]
                rows.append((id(one.at, index), row))
            }
            holding.formUnion(story.retractions.map { id($0, index) })
        }
        for _ in 0..<50 {
            rows.shuffle(using: &random)
            #expect(Set(Retractions(rows).holding.values) == holding, "seed \(seed)")
        }
    }

    @Test func aTargetIsReadStrictly() {
        let target = AnswerID(client: ClientID("device-1"), number: 121)
        #expect(AnswerRow.retraction(of: target) == ["#retract", "device-1", "121"])
        #expect(AnswerRow.retracted(by: ["#retract", "device-1", "121"]) == target)
        let malformed = [
            [], ["#retract"], ["#retract", "device-1"], ["#retract", "", "1"],
            ["#retract", "d", "0"], ["#retract", "d", "01"], ["#retract", "d", "+1"],
            ["#retract", "d", "-1"], ["#retract", "d", "1.0"], ["#retract", "d", ""],
            ["#retract", "d", "18446744073709551615"], ["#retract", "d", "1", "2"],
            ["#number", "d", "1"], ["a", "d", "1"],
        ]
        for options in malformed { #expect(AnswerRow.retracted(by: options) == nil, "\(options)") }
    }

    @Test func aRetractionWithACreditARatingOrATimeIsInvalid() {
        let answer = AnswerRow(
            bank: "b", session: "s", question: "q", domain: "d", version: "v", options: ["a"],
            isCorrect: true, rating: 3, takenMilliseconds: 900, exposuresBefore: 2, mode: "repeat",
            isRandomlySelected: true, milliseconds: 1_796_151_600_000, offsetMinutes: 60)
        let id = AnswerID(client: ClientID("a"), number: 7)
        let undo = answer.retraction(of: id, at: 1_796_151_500_000, offsetMinutes: 120)
        #expect(undo.isValid && undo.canRetract(answer) && undo.retracts == id)
        #expect(undo.milliseconds == answer.milliseconds && undo.offsetMinutes == 120)
        #expect(undo.exposuresBefore == 2 && undo.mode == "repeat" && undo.domain == "d")
        let changes: [(inout AnswerRow) -> Void] = [
            { $0.isCorrect = true }, { $0.credit = 0.5 }, { $0.rating = 1 },
            { $0.takenMilliseconds = 1 }, { $0.options[2] = "x" }, { $0.options.append("x") },
        ]
        for (index, change) in changes.enumerated() {
            var row = undo
            change(&row)
            #expect(!row.isValid && !row.canRetract(answer), "case \(index)")
        }
    }

    @Test func timesAtTheEndsOfTheirRangeDoNotTrap() {
        var answer = AnswerRow(
            bank: "b", session: "s", question: "q", isCorrect: true, takenMilliseconds: 0,
            exposuresBefore: 0, mode: "study", milliseconds: .min)
        var undo = answer
        undo.isCorrect = false
        undo.credit = 0
        undo.options = ["#retract", "a", "1"]
        undo.milliseconds = .max
        #expect(!undo.canRetract(answer))
        answer.milliseconds = .max
        #expect(undo.canRetract(answer))
    }
}
