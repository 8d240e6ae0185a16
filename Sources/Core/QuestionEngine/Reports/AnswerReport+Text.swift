import Foundation

extension AnswerReport {
    /// The report as a table with a summary, for a terminal.
    package var text: String {
        let header = ["question", "n", "facility", "r(rest)", "effic.", "P(wrong)", "proposed"]
        let rows = items.map { item in
            [
                item.question, "\(item.respondentCount)", Self.decimal(item.facility),
                Self.decimal(item.restCorrelation), Self.decimal(item.efficiency),
                item.wrongKeyProbability.map(Self.decimal) ?? "–", item.proposedKey ?? "",
            ]
        }
        var lines = Self.aligned([header] + rows)
        if !queue.isEmpty {
            lines.append("\nTo be looked at, the most suspicious first:")
            lines += queue.map {
                "  \($0.question): \(Int(100 * $0.proposedShare)) % answer \"\($0.proposed)\","
                    + " the key \(Int(100 * $0.keyShare)) %"
            }
        }
        return (lines + ["", summary]).joined(separator: "\n")
    }

    /// The counts in one sentence.
    package var summary: String {
        var parts = [
            "\(Self.count(rowCount, "row")), \(Self.count(answerCount, "first answer"))"
                + " of \(personCount) people"
        ]
        if repeatCount > 0 { parts.append("\(repeatCount) left out: seen before") }
        if unknownCount > 0 { parts.append("\(unknownCount) left out: unknown question or option") }
        if let alpha { parts.append("alpha \(Self.decimal(alpha))") }
        parts.append("\(Self.count(suspicious.count, "key")) to review")
        return parts.joined(separator: "; ") + "."
    }

    /// Returns a number with two digits after the point.
    static func decimal(_ value: Double) -> String { String(format: "%.2f", value) }

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
