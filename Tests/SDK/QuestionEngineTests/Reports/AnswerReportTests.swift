import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

@Suite struct AnswerReportTests {
    private let table: ResponseMatrix
    private let report: AnswerReport

    init() throws {
        table = try SimulatedBank(.messy, items: 8, people: 260, wrongKeys: 0.3, seed: 7).table
        report = AnswerReport(
            CountedAnswers(table: table, rowCount: 2100, repeatCount: 20, unknownCount: 0))
    }

    @Test func theJSONIsThatOfTheCommand() throws {
        let json = try JSONValue(encoding: report)
        #expect(json.canonicalBytes == expected.canonicalBytes)
        #expect(try json.decoded() == report)
        #expect(!report.suspicious.isEmpty && !report.curves.isEmpty)
        #expect(report.items.allSatisfy { $0.slope != nil })
    }

    @Test func whatThereIsNoNumberForIsLeftOut() throws {
        let few = try SimulatedBank(.good, items: 3, people: 10, seed: 1).table
        let report = AnswerReport(
            CountedAnswers(table: few, rowCount: 30, repeatCount: 0, unknownCount: 0))
        let text = String(decoding: try JSONValue(encoding: report).canonicalBytes, as: UTF8.self)
        #expect(!text.contains("wrongKey") && !text.contains("slope"))
        #expect(text.contains("\"curves\":[],"))
    }

    @Test func theWordsSayWhatWasFound() throws {
        let first = try #require(report.suspicious.first?.question)
        #expect(
            report.summary.hasPrefix("2100 rows, 2080 first answers of 260 people; 20 left out"))
        #expect(report.text.hasSuffix(report.summary))
        var question = makeQuestion(.singleChoice, [0], id: first)
        question.stem = "1 < 2?"
        let page = AnswerReportPage(report, title: "A & B", questions: [question]).html
        #expect(page.contains("<h1>A &amp; B</h1>") && page.contains("1 &lt; 2?"))
        #expect(page.contains("<svg") && !page.contains("<script"))
    }

    /// Beginners who mostly guess: their answers are said to tell little, and no key is called suspicious.
    @Test func weakEvidenceIsSaidFirst() throws {
        let beginners = try SimulatedBank(
            .messy, items: 40, people: 60, design: .sparse,
            learners: .init(mean: -1.5, spread: 0.5),
            seed: 5
        ).table
        let report = AnswerReport(
            CountedAnswers(table: beginners, rowCount: 2400, repeatCount: 0, unknownCount: 0))
        let bank = report.bank

        #expect(bank.isWeak && 4 * bank.notEnoughSignal > bank.judged)
        #expect(bank.act + bank.review + bank.notEnoughSignal + bank.fine == bank.judged)
        let head = try #require(report.text.split(separator: "\n").first)
        #expect(
            head.wholeMatch(
                of:
                    /These learners answer \d+ % right where guessing gives 25 %: weak evidence\. .*/
            )
                != nil)
        #expect(report.text.contains("more answers"))
        #expect(AnswerReportPage(report, title: "A").html.contains("weak evidence"))
        // What is not known is no suspicion: it stands in the bank's order.
        let rest = report.items.drop { $0.outcome?.isSuspicious == true }.map(\.question)
        #expect(rest == beginners.items.map(\.id).filter(Set(rest).contains))
        #expect(self.report.weakness == nil)
    }

    @Test func aCleanBanksPriorIsASetting() throws {
        let answers = CountedAnswers(table: table, rowCount: 2100, repeatCount: 0, unknownCount: 0)
        let clean = AnswerReport(answers, prior: WrongKeyPrior(prevalence: 0.01))
        let shift = log(0.01 / 0.99) - log(0.05 / 0.95)
        for item in report.items {
            let other = try #require(clean.items.first { $0.question == item.question })
            let expected = try #require(item.wrongKeyScore) + shift
            #expect(isNear(try #require(other.wrongKeyScore), expected, absolute: 1e-9))
        }
    }

    // MARK: The form that `analyse --json` has had since its first version

    private var expected: JSONValue {
        let review = WrongKeyDetector().review(of: table)
        let findings = Dictionary(uniqueKeysWithValues: review.findings.map { ($0.id, $0) })
        let statistics = Dictionary(
            uniqueKeysWithValues: ItemStatistics.all(of: table).map { ($0.id, $0) })
        let drawn = review.findings.filter { $0.proposedKey != nil }.map(\.id)
        let order = drawn + table.items.map(\.id).filter { !drawn.contains($0) }
        let scores = table.scores(of: Array(table.items.indices))
        let alpha = scores.flatMap { PairwiseAlpha($0) }
        let calibration = scores.flatMap { try? MarginalCalibration($0).items }
        let index = Dictionary(
            uniqueKeysWithValues: table.items.enumerated().map { ($0.element.id, $0.offset) })
        let curves = OptionCurves.curves(of: table, ids: Set(drawn))
        return .compact([
            "rows": 2100, "answers": .integer(table.answerCount),
            "people": .integer(table.personCount), "repeats": 20, "unknown": 0,
            "otherVersions": 0, "otherModes": 0, "skipped": 0, "later": 0,
            "alpha": alpha.map { .decimal($0.value) },
            "alphaPeople": alpha.map { .integer($0.peopleCount) },
            "bank": [
                "judged": .integer(review.signal.judgedCount),
                "facility": .decimal(review.signal.rightShare),
                "chance": .decimal(review.signal.chance), "act": .integer(review.count(.act)),
                "review": .integer(review.count(.review)),
                "notEnoughSignal": .integer(review.count(.notEnoughSignal)),
                "fine": .integer(review.count(.fine)), "weak": .bool(review.isWeak),
            ],
            "items": .array(
                order.compactMap { id in
                    statistics[id].map {
                        json(
                            $0, findings[id],
                            calibration.flatMap { items in index[id].map { items[$0] } })
                    }
                }),
            "curves": .array(drawn.compactMap { id in curves.first { $0.id == id } }.map(json)),
            "queue": [],
        ])
    }

    private func json(
        _ statistics: ItemStatistics, _ finding: WrongKeyFinding?,
        _ calibration: MarginalCalibration.Item?
    ) -> JSONValue {
        .compact([
            "question": .string(statistics.id), "n": .integer(statistics.respondentCount),
            "facility": .decimal(statistics.facility),
            "restCorrelation": .decimal(statistics.restCorrelation),
            "discrimination": .decimal(statistics.upperLowerDiscrimination),
            "efficiency": .decimal(statistics.discriminativeEfficiency),
            "wrongKeyProbability": finding.map { .decimal($0.probability) },
            "wrongKeyScore": finding.map { .decimal($0.score) },
            "outcome": finding.map { .string($0.outcome.rawValue) },
            "answersToClear": finding?.answersToClear.map { .integer($0) },
            "answersToFlag": finding?.answersToFlag.map { .integer($0) },
            "proposedKey": finding?.proposedLabel.map { .string($0) },
            "slope": calibration.map { .decimal($0.parameters.slope) },
            "slopeError": calibration.map { .decimal($0.slopeError) },
            "difficulty": calibration.map { .decimal($0.parameters.difficulty) },
            "options": .array(
                statistics.responses.map {
                    [
                        "option": .string($0.label), "key": .bool($0.isKey),
                        "share": .decimal($0.share),
                        "restCorrelation": .decimal($0.restCorrelation),
                        "upper": .integer($0.upperCount), "lower": .integer($0.lowerCount),
                    ]
                }),
        ])
    }

    private func json(_ curves: OptionCurves) -> JSONValue {
        [
            "question": .string(curves.id), "key": .string(curves.labels[curves.key]),
            "options": .array(curves.labels.map { .string($0) }),
            "groups": .array(
                curves.groups.map {
                    [
                        "ability": .decimal($0.ability), "people": .integer($0.count),
                        "shares": .array($0.shares.map { .decimal($0) }),
                    ]
                }),
        ]
    }
}
