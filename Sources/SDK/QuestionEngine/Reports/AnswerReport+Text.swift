import Foundation

extension AnswerReport {
    /// The report as a table with a summary, for a terminal.
    package var text: String {
        let header = ["question", "n", "facility", "r(rest)", "effic.", "key", "proposed"]
        let rows = items.map { item in
            [
                item.question, "\(item.respondentCount)", Self.decimal(item.facility),
                Self.decimal(item.restCorrelation), Self.decimal(item.efficiency), item.verdict,
                item.hint ?? "",
            ]
        }
        var lines = weakness.map { [$0, ""] } ?? []
        lines += Self.aligned([header] + rows)
        if !queue.isEmpty {
            lines.append("\nTo be looked at, the most suspicious first:")
            lines += queue.map {
                "  \($0.question): \(Int(100 * $0.proposedShare)) % answer \"\($0.proposed)\","
                    + " the key \(Int(100 * $0.keyShare)) %"
            }
        }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    /// The warning that comes first in the report: the answers are weak evidence; `nil` if they are strong enough.
    package var weakness: String? {
        guard bank.isWeak else { return nil }
        return "These learners answer \(Self.percent(bank.facility)) right where guessing gives "
            + "\(Self.percent(bank.chance)): weak evidence. Of \(bank.notEnoughSignal) of "
            + "\(Self.count(bank.judged, "key")) the answers do not tell whether they are right."
    }

    /// The counts in one sentence.
    package var summary: String {
        var parts = [
            "\(Self.count(rowCount, "row")), \(Self.count(answerCount, "first answer"))"
                + " of \(personCount) people"
        ]
        if repeatCount > 0 { parts.append("\(repeatCount) left out: seen before") }
        if otherVersionCount > 0 {
            parts.append("\(otherVersionCount) left out: to another version of the question")
        }
        if unknownCount > 0 { parts.append("\(unknownCount) left out: unknown question or option") }
        if otherModeCount > 0 { parts.append("\(otherModeCount) left out: in another mode") }
        if skippedCount > 0 { parts.append("\(skippedCount) left out: not answered") }
        if laterCount > 0 { parts.append("\(laterCount) left out: answered in an earlier row") }
        if let modes {
            let each = modes.sorted { $0.key < $1.key }.map { "\($0.value) in \($0.key) mode" }
            parts.append(each.joined(separator: ", "))
        }
        if let randomShare {
            parts.append("\(Self.percent(randomShare)) to questions drawn by chance")
        }
        if let alpha, let alphaPeople {
            parts.append(
                "alpha \(Self.decimal(alpha)) (each two questions by \(alphaPeople) people or more)"
            )
        }
        parts.append("\(Self.count(suspicious.count + queue.count, "key")) to review")
        if bank.notEnoughSignal > 0 {
            parts.append("\(bank.notEnoughSignal) without enough signal")
        }
        return parts.joined(separator: "; ") + "."
    }

    /// Returns a number with two digits after the point.
    static func decimal(_ value: Double) -> String { String(format: "%.2f", value) }

    static func percent(_ share: Double) -> String { "\(Int((100 * share).rounded())) %" }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
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
}

extension AnswerReport.Item {
    /// The conclusion about the key, in words for an author.
    package var verdict: String {
        let probability = wrongKeyProbability.map(AnswerReport.percent) ?? ""
        return switch outcome {
        case .act: "wrong? \(probability)"
        case .review: "look at it: \(probability)"
        case .notEnoughSignal: "not enough signal"
        case .fine: "fine"
        case nil:
            // Only keys of one option have a probability.
            respondentCount < WrongKeyDetector.respondentsMin ? "too few answers" : "–"
        }
    }

    /// The number of further answers of such learners that would decide about the key; `nil` if it is decided.
    ///
    /// Held for about two questions in three.
    package var whatMoreTells: String? {
        guard outcome == .notEnoughSignal else { return nil }
        func more(_ count: Int?) -> Int? {
            count.flatMap { $0 > respondentCount ? $0 - respondentCount : nil }
        }
        let isKnown = answersToFlag != nil || answersToClear != nil
        return switch (more(answersToFlag), more(answersToClear)) {
        case (nil, nil):
            isKnown
                ? "more answers should decide" : "more answers of these learners will not decide"
        case (let flag?, nil): "about \(flag) more answers would show a wrong key"
        case (nil, let clear?): "about \(clear) more answers would show a right key"
        case (let flag?, let clear?):
            "about \(flag) more answers would show a wrong key, \(clear) a right one"
        }
    }
}
