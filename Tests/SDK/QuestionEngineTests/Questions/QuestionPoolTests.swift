import ContentModel
import QuestionEngine
import TestSupport
import Testing

@Suite struct QuestionPoolTests {
    private func bank(_ id: String, counts: [(String, Double, Int)]) -> Blueprint {
        var questions: [Question] = []
        for (domain, _, count) in counts {
            for number in 0..<count {
                var question = makeQuestion(
                    QuestionType.allCases[number % 2], [0], id: "\(domain)-\(number)")
                question.domain = domain
                question.difficulty = number % 5 + 1
                question.tags = number % 3 == 0 ? ["third"] : []
                questions.append(question)
            }
        }
        return Blueprint(
            kind: .exam, id: id, title: "t", version: "",
            domains: counts.map { Domain(id: $0.0, title: $0.0, weight: $0.1) },
            questions: questions)
    }

    @Test(arguments: 0..<300)
    func sharesSumUpAndStayWithinOneOfTheirQuota(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let weights = (0..<Int.random(in: 1...9, using: &random)).map { _ in
            Double(Int.random(in: 0...40, using: &random))
        }
        let total = Int.random(in: 0...200, using: &random)
        let shares = LargestRemainder.shares(of: total, weights: weights)
        let sum = weights.reduce(0, +)
        guard sum > 0 else { return #expect(shares.allSatisfy { $0 == 0 }) }
        #expect(shares.reduce(0, +) == total, "seed \(seed)")
        for (share, weight) in zip(shares, weights) {
            #expect(abs(Double(share) - Double(total) * weight / sum) < 1, "seed \(seed)")
        }
    }

    @Test func sharesOfOddWeights() {
        #expect(LargestRemainder.shares(of: 65, weights: [30, 26, 24, 20]) == [19, 17, 16, 13])
        #expect(LargestRemainder.shares(of: 3, weights: [1, 1]) == [2, 1])
        #expect(
            LargestRemainder.shares(of: 10, weights: [.nan, -1, .infinity, 0]) == [0, 0, 0, 0])
        #expect(LargestRemainder.shares(of: 4, weights: [1e308, 1e308]) == [2, 2])
        #expect(LargestRemainder.shares(of: -1, weights: [1]) == [0])
        #expect(LargestRemainder.shares(of: 5, weights: []) == [])
    }

    @Test func weightsAreHonouredExactlyAndSeedsRepeat() {
        let pool = QuestionPool([
            bank("int/a", counts: [("x", 30, 90), ("y", 26, 80), ("z", 44, 70)])
        ])
        var one = SeededGenerator(seed: 4)
        var two = SeededGenerator(seed: 4)
        let selection = pool.selection(of: 65, using: &one)
        #expect(selection == pool.selection(of: 65, using: &two))
        let counts = Dictionary(grouping: selection.questions) { $0.domain ?? "" }.mapValues(
            \.count)
        #expect(counts == ["x": 19, "y": 17, "z": 29])
        #expect(Set(selection.questions.map(\.id)).count == 65)
        #expect(selection.missingCount == 0 && selection.shortages.isEmpty)
        #expect(selection != pool.selection(of: 65, using: &two))
    }

    @Test func aDomainThatIsShortIsNamedAndFilled() {
        let pool = QuestionPool([bank("int/a", counts: [("x", 50, 3), ("y", 50, 40), ("w", 1, 0)])])
        var random = SeededGenerator(seed: 1)
        let selection = pool.selection(of: 20, using: &random)
        #expect(selection.questions.count == 20 && selection.missingCount == 0)
        #expect(selection.shortages == ["x": 7])
        let all = pool.selection(of: 60, using: &random)
        #expect(all.questions.count == 43 && all.missingCount == 17)
        #expect(QuestionPool([]).selection(of: 5, using: &random).missingCount == 5)
        #expect(pool.selection(of: -5, using: &random).questions.isEmpty)
    }

    @Test func criteriaLetThroughWhatTheyName() {
        var retired = bank("de/b", counts: [("n", 1, 6)])
        retired.questions[0].isRetired = true
        let pool = QuestionPool([bank("int/a", counts: [("x", 1, 30), ("y", 1, 30)]), retired])
        func ids(_ change: (inout QuestionCriteria) -> Void) -> Set<String> {
            var criteria = QuestionCriteria()
            change(&criteria)
            var random = SeededGenerator(seed: 9)
            return Set(pool.selection(of: 100, criteria, using: &random).questions.map(\.id))
        }
        #expect(ids { _ in }.count == 65)
        #expect(ids { $0.regions = ["de"] } == Set((1..<6).map { "n-\($0)" }))
        #expect(ids { $0.blueprints = ["int/a"] }.count == 60)
        #expect(ids { $0.domains = ["y"] }.count == 30)
        #expect(ids { $0.difficulties = [2] }.count == 13)
        #expect(ids { $0.tags = ["third"] }.count == 21)
        #expect(ids { $0.types = [.ordering] }.isEmpty)
        #expect(ids { $0.excluded = ["n-1", "x-0"] }.count == 63)
    }
}
