import ContentModel
import QuestionEngine

/// Everything that `analyse` found, ready to be said as a table, as JSON or as a page.
struct AnswerReport {
    /// A question with what was found.
    struct Item {
        var statistics: ItemStatistics
        var finding: WrongKeyFinding?
        var calibration: MarginalCalibration.Item?
        /// The text of the question, where a bank was given.
        var stem: String?
    }

    let items: [Item]
    let queue: [KeyReviewQueue.Entry]
    let curves: [OptionCurves]
    let test: TestStatistics?
    let rowCount: Int
    let answerCount: Int
    let personCount: Int
    let repeatCount: Int
    let strangeCount: Int
    /// What the options of each question say.
    let texts: [String: [String: String]]

    /// The most questions whose curves are drawn.
    static let curvesMax = 50
    /// Calibration needs so many people, each of whom answered everything.
    static let calibratedPeopleMin = 200
    /// Calibration of more questions would take minutes.
    static let calibratedItemsMax = 150

    init(_ file: AnswersFile, questions: [Question], reports: [String: Int]) {
        let table = file.table
        let findings = WrongKeyDetector().findings(in: table, reports: reports)
        let byID = Dictionary(findings.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let stems = Dictionary(
            questions.map { ($0.id, $0.stem) }, uniquingKeysWith: { first, _ in first })
        let scores = table.completeScores()
        let calibration = Self.calibration(scores)
        items = ItemStatistics.all(of: table).enumerated().map { index, statistics in
            Item(
                statistics: statistics, finding: byID[statistics.id],
                calibration: calibration?[index], stem: stems[statistics.id])
        }.sorted { left, right in
            let scores = (left.finding?.score ?? -.infinity, right.finding?.score ?? -.infinity)
            return scores.0 != scores.1
                ? scores.0 > scores.1 : left.statistics.id < right.statistics.id
        }
        queue = KeyReviewQueue(table).entries
        let suspicious = findings.filter { $0.proposedKey != nil }.map(\.id) + queue.map(\.id)
        let order = suspicious.prefix(Self.curvesMax)
        let drawn = OptionCurves.curves(of: table, ids: Set(order))
        curves = order.compactMap { id in drawn.first { $0.id == id } }
        test = scores.map(TestStatistics.init)
        rowCount = file.rowCount
        answerCount = table.answerCount
        personCount = table.personCount
        repeatCount = file.repeatCount
        strangeCount = file.strangeCount
        texts = Dictionary(
            questions.map { question in
                (
                    question.id,
                    Dictionary(question.options.map { ($0.id, $0.text) }, uniquingKeysWith: { $1 })
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Parameters of the two-parameter model, where the answers allow it.
    private static func calibration(
        _ scores: ScoreMatrix?
    ) -> [MarginalCalibration.Item]? {
        guard let scores, scores.personCount >= calibratedPeopleMin,
            scores.itemCount <= calibratedItemsMax
        else { return nil }
        // A question that all answered alike has no parameters; the table still has the rest.
        return try? MarginalCalibration(scores).items
    }

    /// The question's findings that deserve a look.
    var suspicious: [Item] { items.filter { $0.finding?.proposedKey != nil } }

    // MARK: As text

    var text: String {
        let header = ["question", "n", "facility", "r(rest)", "effic.", "P(wrong)", "proposed"]
        let rows = items.map { item in
            [
                item.statistics.id, "\(item.statistics.respondentCount)",
                Console.decimal(item.statistics.facility),
                Console.decimal(item.statistics.restCorrelation),
                Console.decimal(item.statistics.discriminativeEfficiency),
                item.finding.map { Console.decimal($0.probability) } ?? "–",
                item.finding?.proposedLabel ?? "",
            ]
        }
        var lines = Self.aligned([header] + rows)
        if !queue.isEmpty {
            lines.append("\nTo be looked at, the most suspicious first:")
            lines += queue.map {
                "  \($0.id): \(Int(100 * $0.proposedShare)) % answer \"\($0.proposedAnswer)\","
                    + " the key \(Int(100 * $0.keyShare)) %"
            }
        }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    var summary: String {
        var parts = [
            "\(Console.count(rowCount, "row")), \(Console.count(answerCount, "first answer"))"
                + " of \(personCount) people"
        ]
        if repeatCount > 0 { parts.append("\(repeatCount) left out: seen before") }
        if strangeCount > 0 { parts.append("\(strangeCount) left out: unknown question or option") }
        if let alpha = test?.alpha { parts.append("alpha \(Console.decimal(alpha))") }
        parts.append("\(Console.count(suspicious.count, "key")) to review")
        return parts.joined(separator: "; ") + "."
    }

    private static func aligned(_ rows: [[String]]) -> [String] {
        let widths =
            rows.first.map { header in
                header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            } ?? []
        return rows.map { row in
            row.enumerated().map { column, cell in
                let pad = String(repeating: " ", count: widths[column] - cell.count)
                if column == row.count - 1 { return cell }
                return column == 0 ? cell + pad : pad + cell
            }.joined(separator: "  ")
        }
    }

    // MARK: As JSON

    var json: JSONValue {
        .compact([
            "rows": .integer(rowCount), "answers": .integer(answerCount),
            "people": .integer(personCount), "repeats": .integer(repeatCount),
            "unknown": .integer(strangeCount), "alpha": test?.alpha.map { .decimal($0) },
            "items": .array(items.map(\.json)), "curves": .array(curves.map(\.json)),
            "queue": .array(
                queue.map {
                    [
                        "question": .string($0.id), "suspicion": .decimal($0.suspicion),
                        "proposed": .string($0.proposedAnswer),
                        "proposedShare": .decimal($0.proposedShare),
                        "keyShare": .decimal($0.keyShare),
                    ]
                }),
        ])
    }
}

extension OptionCurves {
    fileprivate var json: JSONValue {
        [
            "question": .string(id), "key": .string(labels[key]),
            "options": .array(labels.map { .string($0) }),
            "groups": .array(
                groups.map {
                    [
                        "ability": .decimal($0.ability), "people": .integer($0.count),
                        "shares": .array($0.shares.map { .decimal($0) }),
                    ]
                }),
        ]
    }
}

extension AnswerReport.Item {
    fileprivate var json: JSONValue {
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
}
