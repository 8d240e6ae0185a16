import ContentModel
import Importing

/// The summary of an import, in which each file's questions add up.
struct ImportLedger {
    var results: [ImportResult]
    var failures: [ImportError]
    var written: [String]
    var reviewsKept: Int
    var isDry: Bool

    private static let linesMax = 20

    var text: String {
        var lines: [String] = []
        for result in results {
            let encoding = result.encoding.map { ", \($0)" } ?? ""
            lines.append(
                Console.styled("\(result.file)  (\(result.format.rawValue)\(encoding))", .bold))
            lines.append(
                "  found \(result.foundCount) = imported \(result.questions.count)"
                    + " + skipped \(result.skipped.count)")
            lines += Self.list(result.skipped.map { "  skipped \($0.place): \($0.reason)" })
            lines += Self.list(Self.grouped(result.notes))
            if !result.media.isEmpty {
                lines.append("  with \(Console.count(result.media.count, "media file"))")
            }
            if !result.reviews.isEmpty {
                lines.append("  with \(Console.count(result.reviews.count, "past review"))")
            }
        }
        lines += failures.map { Console.styled("failed: \($0)", .red) }
        let total = results.reduce(0) { $0 + $1.questions.count }
        if !failures.isEmpty {
            lines.append("Nothing was written, because a file could not be read.")
        } else if isDry {
            lines.append(
                "Nothing was written; --write takes \(Console.count(total, "question")) over.")
        } else {
            lines += written.map { "wrote \($0)" }
            if reviewsKept > 0 { lines.append("kept \(Console.count(reviewsKept, "past review"))") }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns each message once, with its first place and its count.
    private static func grouped(_ notes: [ImportResult.Note]) -> [String] {
        var counts: [String: Int] = [:]
        for note in notes { counts[note.message, default: 0] += 1 }
        return notes.compactMap { note in
            guard let count = counts.removeValue(forKey: note.message) else { return nil }
            let more = count > 1 ? " and \(count - 1) more" : ""
            return "  note    \(note.place)\(more): \(note.message)"
        }
    }

    /// Returns the first lines and the number of the others; `--json` has all.
    private static func list(_ lines: [String]) -> [String] {
        guard lines.count > linesMax else { return lines }
        return lines.prefix(linesMax) + ["  … and \(lines.count - linesMax) more (--json says all)"]
    }

    var json: JSONValue {
        [
            "files": .array(results.map(\.json)),
            "failures": .array(
                failures.map { ["file": .string($0.file), "reason": .string($0.reason)] }),
            "written": .array(written.map { .string($0) }),
            "reviewsKept": .integer(reviewsKept), "dry": .bool(isDry),
        ]
    }
}

extension ImportResult {
    fileprivate var json: JSONValue {
        .compact([
            "file": .string(file), "format": .string(format.rawValue),
            "encoding": encoding.map { .string($0) }, "found": .integer(foundCount),
            "imported": .integer(questions.count),
            "skipped": .array(
                skipped.map { ["place": .string($0.place), "reason": .string($0.reason)] }),
            "notes": .array(
                notes.map { ["place": .string($0.place), "message": .string($0.message)] }),
            "media": .integer(media.count), "reviews": .integer(reviews.count),
        ])
    }
}
