import ContentModel
import QuestionEngine
import TestSupport
import Testing

@Suite struct AnswerReportTests {
    private let table: AnswerTable
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

    // MARK: The form that `analyse --json` has had since its first version

    private var expected: JSONValue {
        let findings = Dictionary(
            uniqueKeysWithValues: WrongKeyDetector().findings(in: table).map { ($0.id, $0) })
        let statistics = Dictionary(
            uniqueKeysWithValues: ItemStatistics.all(of: table).map { ($0.id, $0) })
        let order = table.items.map(\.id).sorted { left, right in
            let scores = (findings[left]?.score ?? -.infinity, findings[right]?.score ?? -.infinity)
            return scores.0 != scores.1 ? scores.0 > scores.1 : left < right
        }
        let scores = table.completeScores()
        let calibration = scores.flatMap { try? MarginalCalibration($0).items }
        let index = Dictionary(
            uniqueKeysWithValues: table.items.enumerated().map { ($0.element.id, $0.offset) })
        let drawn = findings.values.filter { $0.proposedKey != nil }
            .sorted { $0.score > $1.score }.map(\.id)
        let curves = OptionCurves.curves(of: table, ids: Set(drawn))
        return .compact([
            "rows": 2100, "answers": .integer(table.answerCount),
            "people": .integer(table.personCount), "repeats": 20, "unknown": 0,
            "alpha": scores.map(TestStatistics.init)?.alpha.map { .decimal($0) },
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
