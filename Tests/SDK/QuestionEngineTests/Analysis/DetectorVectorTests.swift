import Foundation
import QuestionEngine
import Testing

/// The rule `wrong-key-detector-2` against its vectors: three synthetic banks with every score, and six questions
/// with every number on the way.
@Suite struct DetectorVectorTests {
    private static let vectors = Result { try VectorTree.load("detector2.json") }

    private struct Bank {
        let expected: VectorTree
        let review: KeyReview

        init(_ expected: VectorTree) throws {
            self.expected = expected
            let sizes = expected["options_per_item"].list.map(\.integer)
            let keys = expected["published_key_0based"].list.map(\.integer)
            var (person, item, response): ([Int32], [Int32], [Int32]) = ([], [], [])
            for (who, answers) in expected["answers_per_person"].list.enumerated() {
                for (index, answer) in answers.text.enumerated() where answer != "." {
                    person.append(Int32(who))
                    item.append(Int32(index))
                    response.append(Int32(answer.wholeNumberValue ?? -1))
                }
            }
            let table = try ResponseMatrix(
                items: zip(sizes, keys).enumerated().map { index, question in
                    ResponseMatrix.Item(
                        id: "\(index)", responses: (0..<question.0).map { "\($0)" },
                        key: question.1)
                }, person: person, item: item, response: response)
            review = WrongKeyDetector().review(of: table)
        }

        func finding(_ index: Int) throws -> WrongKeyFinding {
            try #require(review.findings.first { $0.id == "\(index)" })
        }
    }

    private func banks() throws -> [Bank] {
        let banks = try Self.vectors.get()["banks"].list.map(Bank.init)
        #expect(banks.count == 3)
        return banks
    }

    private var tolerance: Double { get throws { try Self.vectors.get()["tolerance_abs"].number } }

    @Test func theNumbersOfTheBanksAgree() throws {
        for bank in try banks() {
            let (signal, expected) = (bank.review.signal, bank.expected["bank"])
            #expect(signal.judgedCount == expected["items_judged"].integer)
            for (found, name) in [
                (signal.keyLead, "delta"), (signal.keyVariance, "tau2"),
                (signal.facility, "mean_facility"), (signal.chance, "mean_chance"),
                (signal.aboveChance, "phi"),
            ] {
                #expect(isNear(found, expected[name].number, absolute: try tolerance), "\(name)")
            }
        }
    }

    @Test func theScoresOfAllQuestionsAgree() throws {
        for bank in try banks() {
            let scores = bank.expected["all_scores"].numbers
            #expect(scores.count == bank.review.findings.count)
            for (index, score) in scores.enumerated() {
                #expect(isNear(try bank.finding(index).score, score, absolute: try tolerance))
            }
        }
    }

    @Test func theWorkedQuestionsAgree() throws {
        for bank in try banks() {
            for expected in bank.expected["items"].list {
                let finding = try bank.finding(expected["item_0based"].integer)
                let probability = expected["probability"].number
                #expect(isNear(finding.probability, probability, absolute: try tolerance))
                #expect(finding.respondentCount == expected["N"].integer)
                if probability >= 0.5 {
                    #expect(finding.proposedKey == expected["best_alternative"].integer)
                } else {
                    #expect(finding.proposedKey == nil)
                }
                for (found, name) in [
                    (finding.answersToClear, "answers_to_clear"),
                    (finding.answersToFlag, "answers_to_flag"),
                ] {
                    #expect(found == (expected[name].isNull ? nil : expected[name].integer))
                }
            }
        }
    }
}
