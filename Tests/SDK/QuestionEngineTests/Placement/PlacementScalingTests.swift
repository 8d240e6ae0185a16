import ContentModel
import QuestionEngine
import Testing

/// A placement test of fewer questions than its cuts were set for.
@Suite struct PlacementScalingTests {
    private func test(
        _ count: Int = 40, retired: Int = 0, leftOut: Int = 0, outOf: Int? = nil
    ) -> Blueprint {
        let cuts = [("A1", 0), ("A2", 8), ("B1", 18), ("B2", 28), ("C1", 36)]
        var blueprint = Blueprint(
            kind: .placement, id: "es", title: "t", version: "",
            scoring: Scoring(
                cuts: cuts.map { CutScore(level: $0.0, from: $0.1) }, outOf: outOf),
            questions: (0..<count).map { number in
                Question(
                    id: "q\(number)", type: .singleChoice, difficulty: 1, stem: "s",
                    options: [.init(id: "a", text: "x"), .init(id: "b", text: "y")], correct: [0],
                    isRetired: number < retired)
            })
        blueprint.leftOutCount = leftOut
        return blueprint
    }

    private func level(_ right: Int, _ blueprint: Blueprint) -> String? {
        let asked = blueprint.questions.filter { !$0.isRetired }.prefix(right)
        let answers = Dictionary(uniqueKeysWithValues: asked.map { ($0.id, $0.correctResponse) })
        let result = PlacementResult(answers: answers, blueprint: blueprint)
        #expect(result.points == right)
        return result.level
    }

    @Test(arguments: [
        (0, 36, "C1"), (0, 35, "B2"), (0, 28, "B2"), (0, 27, "B1"), (8, 32, "C1"), (8, 29, "C1"),
        (8, 28, "B2"), (8, 23, "B2"), (8, 22, "B1"), (30, 10, "C1"), (30, 9, "C1"), (30, 8, "B2"),
        (30, 0, "A1"),
    ])
    func everyLevelStaysAsHardAsItWas(retired: Int, right: Int, expected: String) {
        #expect(level(right, test(retired: retired)) == expected)
        // The same where this version cannot read the questions.
        #expect(level(right, test(40 - retired, leftOut: retired)) == expected)
    }

    @Test func everyLevelCanBeReachedWhateverIsLeft() {
        for retired in 0..<40 {
            #expect(level(40 - retired, test(retired: retired)) == "C1")
            #expect(level(0, test(retired: retired)) == "A1")
        }
    }

    @Test func aTestThatIsCutShortPlacesNobody() {
        let blueprint = test(retired: 8)
        let all = blueprint.questions.map(\.id)
        let answers = Dictionary(
            uniqueKeysWithValues: blueprint.questions.map { ($0.id, $0.correctResponse) })
        func result(_ asked: Set<String>?) -> PlacementResult {
            PlacementResult(answers: answers, blueprint: blueprint, asked: asked)
        }
        #expect(result(Set(all)) == result(nil))
        // The retired ones need not be asked.
        #expect(result(Set(all.dropFirst(8))) == result(nil))
        #expect(result(nil).level == "C1" && !result(nil).isCutShort)
        let short = result(Set(all.dropFirst(9)))
        #expect(short.isCutShort && short.level == nil)
        #expect(short.points == 31 && short.questionCount == 31)
        #expect(result([]).level == nil && result([]).isCutShort)
    }

    @Test func aTestWithoutQuestionsPlacesNobody() {
        #expect(level(0, test(retired: 40)) == nil)
        #expect(level(0, test(0, leftOut: 40)) == nil)
    }

    /// Eight are retired and eight came in their place: the cuts are still those of 40.
    @Test func theAuthorMaySayWhatTheCutsAreOutOf() throws {
        let replaced = test(48, retired: 8, outOf: 40)
        #expect(level(36, replaced) == "C1")
        #expect(level(35, replaced) == "B2")
        #expect(try Blueprint(released: replaced.json.canonicalBytes) == replaced)
        #expect(throws: ContentError.self) {
            try Blueprint(released: test(outOf: 35).json.canonicalBytes)
        }
    }
}
