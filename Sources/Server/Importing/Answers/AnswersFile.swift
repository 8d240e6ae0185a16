package import ContentModel
import Foundation
import Publishing
package import QuestionEngine

/// A table of answers with a header and one answer per row.
///
/// Columns: `person`, `question`, `answer` (ids of options separated by spaces, or a number), and without a bank `key`.
/// Optional: `type`, `exposures` (how often the person had seen the question before), `version` (of the shown
/// question), `mode`, and `random` (true when chance alone selected the question).
package enum AnswersFile {
    struct Row {
        /// The file and the line.
        var place: String
        var person: String
        var question: String
        var answer: [String]
        var exposures: Int
        var version: String?
        var mode: AnswerMode?
        var isRandom: Bool?
        /// The key and the type of the question, where the file has them.
        var key: [String] = []
        var type: QuestionType?
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - path: Its name, for messages.
    ///   - bank: The questions with their keys; empty to read keys from the file.
    ///   - mode: The mode of counted answers, if the file names modes; `nil` for all.
    ///   - note: A function that receives sentences about skipped data.
    /// - Returns: The first answers, and the counts of the others.
    /// - Throws: `PublishingError` `unreadable` with the line number.
    package static func read(
        _ bytes: [UInt8], file path: String, bank: [Question], mode: AnswerMode? = nil,
        note: (String) -> Void = { _ in }
    ) throws -> CountedAnswers {
        var table = try ResponseCSV(bytes, file: path)
        let columns = try Columns(table, needsKey: bank.isEmpty)
        if !columns.unread.isEmpty {
            let names = columns.unread.map { "\"\($0)\"" }.joined(separator: ", ")
            note("\(path) has columns that are not read: \(names).")
        }
        if !columns.hasExposures {
            note(
                "\(path) has no column exposures: a person's first row of a question counts as the first sight."
            )
        }
        var rows: [Row] = []
        var otherModeCount = 0
        while let fields = try table.next() {
            let row = try columns.row(fields)
            if let mode, row.mode != mode { otherModeCount += 1 } else { rows.append(row) }
        }
        var found = try counted(rows, bank: bank, note: note, path: path)
        found.rowCount += otherModeCount
        found.otherModeCount = otherModeCount
        return found
    }

    private static func counted(
        _ rows: [Row], bank: [Question], note: (String) -> Void, path: String
    ) throws -> CountedAnswers {
        guard bank.isEmpty else { return try counted(bank, rows, versions: [:]) }
        let versions = mostAnsweredVersions(rows)
        let unversioned = rows.count { $0.version == nil && versions[$0.question] != nil }
        if unversioned > 0 {
            note("\(path) names no version in \(unversioned) rows: they count as the present one.")
        }
        var keys = ObservedQuestions()
        // Another version has options and a key of its own.
        for row in rows where row.version == nil || row.version == versions[row.question] {
            guard keys.add(row.question, key: row.key, answer: row.answer, type: row.type) else {
                throw PublishingError.unreadable(
                    "\(row.place): the question \"\(row.question)\" had another key before.")
            }
        }
        return try counted(keys.questions(), rows, versions: versions)
    }

    /// Returns the version with the most first answers of each question, or the later one in the file; without a bank,
    /// the current version is unknown.
    private static func mostAnsweredVersions(_ rows: [Row]) -> [String: String] {
        var counts: [String: [String: (count: Int, last: Int)]] = [:]
        for (index, row) in rows.enumerated() {
            guard let version = row.version, row.exposures == 0 else { continue }
            let count = counts[row.question]?[version]?.count ?? 0
            counts[row.question, default: [:]][version] = (count + 1, index)
        }
        return counts.compactMapValues { versions in
            versions.max { ($0.value.count, $0.value.last) < ($1.value.count, $1.value.last) }?.key
        }
    }

    /// Reads a file of learners' reports with the columns question and count.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - path: Its name, for messages.
    /// - Returns: The number of reports of each question.
    /// - Throws: `PublishingError` `unreadable` with the line number.
    package static func readReports(_ bytes: [UInt8], file path: String) throws -> [String: Int] {
        var table = try ResponseCSV(bytes, file: path)
        guard let question = table.column("question", "item", "questionid"),
            let count = table.column("count", "reports")
        else {
            throw PublishingError.unreadable("\(path) needs the columns question and count.")
        }
        var counts: [String: Int] = [:]
        while let row = try table.next() {
            let number = try row.value(count, "count", "a whole number from 0 to 1000000") { text in
                Int(text).flatMap { (0...1_000_000).contains($0) ? $0 : nil }
            }
            guard let number, !row.text(question).isEmpty else {
                throw PublishingError.unreadable(
                    "\(row.place): the row needs a question and a count.")
            }
            counts[row.text(question), default: 0] += number
        }
        return counts
    }

    private static func counted(
        _ questions: [Question], _ rows: [Row], versions: [String: String]
    ) throws -> CountedAnswers {
        do throws(AnswerTableError) {
            var builder = try ResponseMatrixBuilder(questions: questions, versions: versions)
            let numeric = Set(questions.filter { $0.correctNumber != nil }.map(\.id))
            for row in rows {
                let isNumber = numeric.contains(row.question)
                builder.add(
                    ObservedAnswer(
                        person: row.person, question: row.question, contentVersion: row.version,
                        response: isNumber ? number(row.answer) : .options(row.answer),
                        exposuresBefore: row.exposures, mode: row.mode,
                        isRandomlySelected: row.isRandom))
            }
            return CountedAnswers(
                table: try builder.table(), rowCount: rows.count, repeatCount: builder.repeatCount,
                unknownCount: builder.unknownCount + builder.unusableCount,
                otherVersionCount: builder.otherVersionCount, skippedCount: builder.skippedCount)
        } catch {
            throw PublishingError.unreadable("The answers make no table. \(error.message)")
        }
    }

    /// The language of tables: a point is always a decimal point there.
    private static let tables = Locale(identifier: "en")

    /// Returns the number of a row, with a decimal point or comma.
    private static func number(_ answer: [String]) -> QuestionResponse {
        guard !answer.isEmpty else { return [] }
        do throws(EnteredNumberError) {
            return .number(
                try DecimalNumber(entered: answer.joined(separator: " "), locale: tables))
        } catch {
            return .unknown(answer)
        }
    }
}
