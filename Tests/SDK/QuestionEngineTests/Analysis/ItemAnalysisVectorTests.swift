import Foundation
import QuestionEngine
import Testing

/// The made data set with chosen options: 120 people, 10 questions, one wrong key.
@Suite struct ItemAnalysisVectorTests {
    private let data: VectorTree
    private let table: ResponseMatrix

    init() throws {
        data = try VectorTree.load("item_analysis.json")["synthetic_choice_level"]
        let keys = data["published_key_0based"].list.map(\.integer)
        let labels = (0..<data["options"].integer).map { "\($0)" }
        var person: [Int32] = []
        var item: [Int32] = []
        var response: [Int32] = []
        for (who, choices) in data["choices_per_person"].list.enumerated() {
            for (question, choice) in choices.text.enumerated() {
                person.append(Int32(who))
                item.append(Int32(question))
                response.append(Int32(choice.wholeNumberValue ?? -1))
            }
        }
        table = try ResponseMatrix(
            items: keys.enumerated().map {
                ResponseMatrix.Item(id: "item\($0)", responses: labels, key: $1)
            }, person: person, item: item, response: response)
    }

    @Test func statisticsOfQuestionsAgree() throws {
        let tolerance = data["tolerance_abs"].number
        for (found, expected) in zip(ItemStatistics.all(of: table), data["item_stats"].list) {
            let pairs = [
                (found.facility, expected["facility"].number),
                (found.totalCorrelation, expected["r_total"].number),
                (found.restCorrelation, expected["r_rest"].number),
                (found.upperLowerDiscrimination, expected["D_upper_lower_27"].number),
                (100 * found.restCorrelation, expected["moodle_discrimination_index"].number),
                (
                    100 * found.discriminativeEfficiency,
                    expected["moodle_discriminative_efficiency"].number
                ),
            ]
            for (value, wanted) in pairs {
                #expect(isNear(value, wanted, absolute: 100 * tolerance), "\(found.id)")
            }
            #expect(found.responses.count == expected["options"].list.count)
            for (response, wanted) in zip(found.responses, expected["options"].list) {
                #expect(isNear(response.share, wanted["share"].number, absolute: tolerance))
                #expect(
                    isNear(response.restCorrelation, wanted["r_rest"].number, absolute: tolerance))
                let proxy = wanted["r_proxy"].number
                #expect(isNear(response.abilityCorrelation, proxy, absolute: tolerance))
                #expect(response.upperCount == wanted["upper27"].integer)
                #expect(response.lowerCount == wanted["lower27"].integer)
            }
        }
    }

    @Test func alphaAgrees() throws {
        let scores = try #require(table.completeScores())
        let alpha = try #require(TestStatistics(scores).alpha)
        #expect(isNear(alpha, data["alpha"].number, absolute: data["tolerance_abs"].number))
    }

    @Test func theWrongKeyIsFirstInLineAndItsCurvesShowWhy() throws {
        let findings = WrongKeyDetector().review(of: table).findings
        let worst = try #require(findings.first)
        #expect(worst.id == "item5" && worst.proposedKey == 1 && worst.proposedLabel == "1")
        let curves = OptionCurves.curves(of: table, ids: ["item5"])
        let groups = try #require(curves.first).groups
        #expect(groups.count == 10)
        #expect(groups.map(\.count).reduce(0, +) == 120)
        for group in groups { #expect(isNear(group.shares.reduce(0, +), 1, absolute: 1e-9)) }
        let able = groups.suffix(3).reduce(0) { $0 + $1.shares[1] }
        let weak = groups.prefix(3).reduce(0) { $0 + $1.shares[1] }
        #expect(able > weak + 0.3)
    }
}
