import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

@Suite struct AdaptivePlacementTests {
    private let plain = AdaptivePlacement.Settings(
        questionsMin: 0, questionsMax: 99, standardErrorMax: 0, stopsWhenLevelIsClear: false,
        choiceAmong: 1, randomShare: 0)

    @Test func theTraceOfTheVectorsIsFollowed() throws {
        let trace = try VectorTree.load("item_analysis.json")["cat_trace_lsat7_2pl"]
        let tolerance = trace["tolerance_abs"].number
        let items = zip(trace["a"].numbers, trace["b"].numbers).enumerated().map {
            AdaptivePlacement.Item(
                id: "\($0 + 1)", parameters: ItemParameters(slope: $1.0, difficulty: $1.1))
        }
        var test = AdaptivePlacement(items: items, levels: AbilityLevels([]), settings: plain)
        var random = SeededGenerator(seed: 1)
        for step in trace["steps"].list {
            let estimate = test.estimate
            #expect(isNear(estimate.ability, step["theta_before"].number, absolute: tolerance))
            #expect(isNear(estimate.standardError, step["se_before"].number, absolute: tolerance))
            let information = items.map { $0.parameters.information(ability: estimate.ability) }
            #expect(areNear(information, step["item_information"].numbers, absolute: tolerance))
            let choice = try #require(test.next(using: &random))
            #expect(choice.id == "\(step["selected_item_1based"].integer)" && !choice.isRandom)
            try test.record(choice.id, isRight: step["response"].integer == 1)
        }
        #expect(isNear(test.estimate.ability, trace["theta_final"].number, absolute: tolerance))
        #expect(isNear(test.estimate.standardError, trace["se_final"].number, absolute: tolerance))
        #expect(test.stopReason == .noQuestions)
    }

    private func bank(_ count: Int) -> [AdaptivePlacement.Item] {
        (0..<count).map {
            .init(
                id: "q\($0)", domain: $0 % 3 == 0 ? "x" : "y",
                parameters: ItemParameters(slope: 1.5, difficulty: Double($0 % 41) / 10 - 2))
        }
    }

    @Test(arguments: 0..<20)
    func peopleArePlacedNearTheirAbility(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let ability = Double(seed) / 5 - 2
        var test = AdaptivePlacement(
            items: bank(300), levels: AbilityLevels([]),
            settings: .init(questionsMax: 60, standardErrorMax: 0.3))
        while let choice = test.next(using: &random) {
            let item = try #require(test.items.first { $0.id == choice.id })
            let p = item.parameters.probability(ability: ability)
            try test.record(choice.id, isRight: Double.random(in: 0..<1, using: &random) < p)
        }
        #expect(test.stopReason == .standardError && test.answers.count < 60)
        #expect(abs(test.estimate.ability - ability) < 4 * 0.3, "seed \(seed)")
    }

    @Test func aClearLevelEndsTheTest() throws {
        let levels = AbilityLevels([
            .init(level: "low", from: -9), .init(level: "high", from: 0),
        ])
        var test = AdaptivePlacement(
            items: bank(300), levels: levels,
            settings: .init(questionsMin: 3, standardErrorMax: 0.01, choiceAmong: 1, randomShare: 0)
        )
        var random = SeededGenerator(seed: 1)
        while let choice = test.next(using: &random) { try test.record(choice.id, isRight: true) }
        #expect(test.stopReason == .level)
        #expect(levels.levels(of: test.estimate) == ["high"])
        #expect(levels.level(of: test.estimate.ability) == "high")
        #expect(
            levels.levels(of: AbilityEstimate(ability: 0, standardError: 1)) == ["low", "high"])
        #expect(AbilityLevels([]).level(of: 0) == nil)
    }

    @Test func domainsGetTheirShareAndChanceItsPart() throws {
        var test = AdaptivePlacement(
            items: bank(300), levels: AbilityLevels([]), weights: ["x": 75, "y": 25],
            settings: .init(
                questionsMax: 40, standardErrorMax: 0, stopsWhenLevelIsClear: false,
                randomShare: 0))
        var random = SeededGenerator(seed: 5)
        while let choice = test.next(using: &random) {
            try test.record(choice.id, isRight: Bool.random(using: &random))
        }
        let domains = Dictionary(uniqueKeysWithValues: test.items.map { ($0.id, $0.domain) })
        #expect(test.answers.count { domains[$0.id] == "x" } == 30)
        #expect(test.stopReason == .length)
        let chance = AdaptivePlacement(
            items: bank(300), levels: AbilityLevels([]), settings: .init(randomShare: 0.2))
        let count = (0..<2_000).count { _ in chance.next(using: &random)?.isRandom == true }
        #expect((320...480).contains(count))
    }

    @Test func exposureIsSpreadAmongTheBest() {
        var random = SeededGenerator(seed: 8)
        let test = AdaptivePlacement(
            items: bank(300), levels: AbilityLevels([]),
            settings: .init(choiceAmong: 5, randomShare: 0))
        let first = Set((0..<200).compactMap { _ in test.next(using: &random)?.id })
        #expect(first.count == 5)
    }

    @Test func oddInputIsRefusedOrLeftOut() throws {
        let broken = AdaptivePlacement.Item(
            id: "nan", parameters: ItemParameters(slope: .nan, difficulty: 0))
        var test = AdaptivePlacement(items: [broken] + bank(2), levels: AbilityLevels([]))
        #expect(test.items.count == 2)
        #expect(throws: PlacementError.unknownItem("nan")) {
            try test.record("nan", isRight: true)
        }
        try test.record("q0", isRight: true)
        #expect(throws: PlacementError.answeredBefore("q0")) {
            try test.record("q0", isRight: true)
        }
        let empty = AdaptivePlacement(items: [], levels: AbilityLevels([]))
        var random = SeededGenerator(seed: 1)
        #expect(empty.next(using: &random) == nil && empty.stopReason == .noQuestions)
    }

    @Test func aBlueprintStartsFromItsLabels() throws {
        var blueprint = Blueprint(
            kind: .placement, id: "es", title: "t", version: "",
            levels: [1: "A1", 2: "A2", 3: "B1", 4: "B2", 5: "C1"],
            questions: (0..<5).map { makeQuestion(.singleChoice, [0], id: "q\($0)") })
        for number in 0..<5 { blueprint.questions[number].difficulty = number + 1 }
        blueprint.questions[4].isRetired = true
        let test = AdaptivePlacement(
            blueprint: blueprint,
            calibration: [
                "q1": .init(slope: 2, difficulty: 0.3), "q2": .init(slope: .nan, difficulty: 1),
            ])
        #expect(test.items.map(\.parameters.difficulty) == [-2, 0.3, 0, 1])
        #expect(test.levels.level(of: 0) == "B1" && test.levels.level(of: -5) == "A1")
    }
}
