import Importing

extension ImportSummary {
    private static let linesMax = 20

    /// The ledger for people: the questions of each file add up.
    var text: String {
        var lines: [String] = []
        for result in files {
            let encoding = result.encoding.map { ", \($0)" } ?? ""
            lines.append(
                Console.styled("\(result.file)  (\(result.format)\(encoding))", .bold))
            lines.append(
                "  found \(result.found) = imported \(result.imported)"
                    + " + skipped \(result.skipped.count)")
            if result.replaced > 0 {
                lines.append("  \(result.replaced) of them in place of the bank's")
            }
            lines += (result.profile?.lines ?? []).map { "  " + $0 }
            lines += Self.list(result.differences.flatMap(Self.lines))
            lines += Self.list(result.skipped.map { "  skipped \($0.place): \($0.reason)" })
            lines += Self.list(result.notes.map(Self.line))
            if result.media > 0 {
                lines.append("  with \(Console.count(result.media, "media file"))")
            }
            if result.reviews > 0 {
                lines.append("  with \(Console.count(result.reviews, "past review"))")
            }
        }
        lines += addresses?.lines ?? []
        lines += failures.map { Console.styled("failed: \($0)", .red) }
        let total = files.reduce(0) { $0 + $1.imported }
        if !failures.isEmpty {
            lines.append("Nothing was written, because a file could not be read.")
        } else if dry {
            lines.append(
                "Nothing was written; --write takes \(Console.count(total, "question")) over.")
        } else {
            lines += written.map { "wrote \($0)" }
            if undo != nil { lines.append("--undo last takes this import back") }
            if reviewsKept > 0 { lines.append("kept \(Console.count(reviewsKept, "past review"))") }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns a line for each field in which the bank's question differs.
    private static func lines(_ difference: QuestionDifference) -> [String] {
        difference.fields.map { field in
            "  differs \(difference.place), \(difference.id): \(field.name) \(shown(field.old))"
                + " → \(shown(field.new))"
        }
    }

    private static func shown(_ value: String) -> String {
        "\"\(value.count > 80 ? value.prefix(80) + "…" : value)\""
    }

    private static func line(_ note: Note) -> String {
        let more = note.count > 1 ? " and \(note.count - 1) more" : ""
        return "  note    \(note.place)\(more): \(note.message)"
    }

    /// Returns the first lines and the number of the others; `--json` has all.
    private static func list(_ lines: [String]) -> [String] {
        guard lines.count > linesMax else { return lines }
        return lines.prefix(linesMax) + ["  … and \(lines.count - linesMax) more (--json says all)"]
    }
}
