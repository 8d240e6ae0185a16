package import ContentModel
import Foundation
import Publishing
package import QuestionEngine

/// A table of answers with a header and one answer per row.
///
/// Columns: `person`, `question`, `answer` (ids of options separated by spaces, or a number), and
/// without a bank `key`; also `type`, `exposures` (the number of times that the person had seen
/// the question before), `version` (of the question that was shown), `mode` and `random` (true when chance alone
/// selected the question).
package enum AnswersFile {
    struct Row {
        var person: String
        var question: String
        var answer: [String]
        var exposures: Int
        var version: String?
        var mode: SessionMode?
        var isRandom: Bool?
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - bytes: The file.
    ///   - path: Its name, for messages.
    ///   - bank: The questions with their keys; empty to read keys from the file.
    /// - Returns: The first answers, and the counts of the others.
    /// - Throws: `PublishingError` `unreadable` with the line.
    package static func read(
        _ bytes: [UInt8], file path: String, bank: [Question]
    ) throws -> CountedAnswers {
        var bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let head = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        var scanner = CSVScanner(bytes, separator: CSVTable.separator(of: head[...]))
        let columns = try Columns(scanner.next()?.fields ?? [], path: path, needsKey: bank.isEmpty)
        var rows: [Row] = []
        var keys = ObservedQuestions()
        while let (line, fields) = scanner.next() {
            if fields.count == 1, fields[0].isEmpty { continue }
            guard let row = columns.row(fields) else {
                throw PublishingError.unreadable(
                    "\(path):\(line): the row has \(fields.count) fields, the header more.")
            }
            try columns.addKey(
                fields, row.question, row.answer, into: &keys, place: "\(path):\(line)")
            rows.append(row)
        }
        if let line = scanner.openQuoteLine {
            throw PublishingError.unreadable("\(path):\(line): a quote never ends.")
        }
        let questions = bank.isEmpty ? keys.questions() : bank
        return try counted(
            questions, rows, versions: bank.isEmpty ? mostAnsweredVersions(rows) : [:])
    }

    /// Without a bank nobody says which version is the present one: the one with most answers, or the later one of
    /// the file.
    private static func mostAnsweredVersions(_ rows: [Row]) -> [String: String] {
        var counts: [String: [String: (count: Int, last: Int)]] = [:]
        for (index, row) in rows.enumerated() {
            guard let version = row.version else { continue }
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
    /// - Throws: `PublishingError` `unreadable` with the line.
    package static func readReports(_ bytes: [UInt8], file path: String) throws -> [String: Int] {
        var scanner = CSVScanner(bytes)
        var counts: [String: Int] = [:]
        _ = scanner.next()
        while let (line, fields) = scanner.next() {
            guard fields.count >= 2 else { continue }
            guard let count = Int(String(decoding: fields[1], as: UTF8.self)) else {
                throw PublishingError.unreadable("\(path):\(line): the count is no number.")
            }
            counts[String(decoding: fields[0], as: UTF8.self), default: 0] += max(0, count)
        }
        return counts
    }

    private static func counted(
        _ questions: [Question], _ rows: [Row], versions: [String: String]
    ) throws -> CountedAnswers {
        do throws(AnswerTableError) {
            var builder = try AnswerTableBuilder(questions: questions, versions: versions)
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
                otherVersionCount: builder.otherVersionCount)
        } catch {
            throw PublishingError.unreadable("The answers make no table. \(error.message)")
        }
    }

    /// Returns the number of a row, with a decimal point or comma.
    private static func number(_ answer: [String]) -> QuestionResponse {
        guard !answer.isEmpty else { return [] }
        do throws(EnteredNumberError) {
            return .number(try DecimalNumber(entered: answer.joined(separator: " ")))
        } catch {
            return .unknown(answer)
        }
    }
}
