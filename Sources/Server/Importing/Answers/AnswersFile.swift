import ContentModel
import Foundation
import Importing
import Publishing
import QuestionEngine

/// A table of answers: a row an answer, with a header.
///
/// Columns: `person`, `question`, `answer` (ids of options with spaces between them), and where no
/// bank is given `key`; also `type` and `exposures` (how often the person had seen the question).
struct AnswersFile {
    private struct Row {
        var person: String
        var question: String
        var answer: [String]
        var exposures: Int
    }

    /// The answers at first sight.
    let table: AnswerTable
    /// How many rows the file has.
    let rowCount: Int
    /// How many were left out because the question had been seen before.
    let repeatCount: Int
    /// How many name a question or an option that there is not.
    let strangeCount: Int

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - bank: The questions with their keys; empty to take keys from the file.
    /// - Throws: `CommandFailure` without the file, `PublishingError` `unreadable` with the line.
    init(_ path: String, bank: [Question]) throws {
        var bytes = [UInt8](try InputFile.read(path))
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        let head = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        var scanner = CSVScanner(bytes, separator: CSVTable.separator(of: head[...]))
        let columns = try Columns(scanner.next()?.fields ?? [], path: path, needsKey: bank.isEmpty)
        var rows: [Row] = []
        var keys = KeysOfFile()
        while let (line, fields) = scanner.next() {
            if fields.count == 1, fields[0].isEmpty { continue }
            guard let row = columns.row(fields) else {
                throw PublishingError.unreadable(
                    "\(path):\(line): the row has \(fields.count) fields, the header more.")
            }
            try columns.takeKey(
                fields, row.question, row.answer, into: &keys, place: "\(path):\(line)")
            rows.append(row)
        }
        if let line = scanner.openQuoteLine {
            throw PublishingError.unreadable("\(path):\(line): a quote never ends.")
        }
        let questions = bank.isEmpty ? keys.questions() : bank
        (table, repeatCount, strangeCount) = try Self.table(questions, rows)
        rowCount = rows.count
    }

    private static func table(
        _ questions: [Question], _ rows: [Row]
    ) throws -> (AnswerTable, Int, Int) {
        do throws(AnswerTable.Failure) {
            var builder = try AnswerTableBuilder(questions: questions)
            for row in rows {
                builder.add(
                    person: row.person, question: row.question, optionIDs: row.answer,
                    exposuresBefore: row.exposures)
            }
            let table = try builder.table()
            return (table, builder.repeatCount, builder.unknownCount + builder.strangeCount)
        } catch {
            throw PublishingError.unreadable("The answers make no table: \(error).")
        }
    }

    /// Where each value stands in a row.
    private struct Columns {
        private let person: Int
        private let question: Int
        private let answer: Int
        private let key: Int?
        private let type: Int?
        private let exposures: Int?

        init(_ header: [[UInt8]], path: String, needsKey: Bool) throws {
            let names = header.map {
                String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces)
                    .lowercased()
            }
            func find(_ candidates: [String]) -> Int? {
                candidates.lazy.compactMap { names.firstIndex(of: $0) }.first
            }
            key = find(["key", "correct"])
            type = find(["type"])
            exposures = find(["exposures", "exposures_before", "exposuresbefore"])
            guard let person = find(["person", "user", "learner"]),
                let question = find(["question", "item", "question_id"]),
                let answer = find(["answer", "response", "options", "option_ids"])
            else {
                throw PublishingError.unreadable(
                    "\(path) needs the columns person, question and answer; it has "
                        + (names.isEmpty ? "none." : names.joined(separator: ", ") + "."))
            }
            if needsKey, key == nil {
                throw PublishingError.unreadable(
                    "\(path) has no column key; name the questions with --bank content/exams/….")
            }
            self.person = person
            self.question = question
            self.answer = answer
        }

        func row(_ fields: [[UInt8]]) -> Row? {
            guard fields.count > max(person, question, answer) else { return nil }
            return Row(
                person: text(fields, person), question: text(fields, question),
                answer: ids(fields, answer),
                exposures: exposures.flatMap { Int(text(fields, $0)) } ?? 0)
        }

        func takeKey(
            _ fields: [[UInt8]], _ question: String, _ answer: [String],
            into keys: inout KeysOfFile, place: String
        ) throws {
            guard let key, key < fields.count else { return }
            let named = type.flatMap { $0 < fields.count ? text(fields, $0) : nil }
            let known = keys.take(
                question, key: ids(fields, key), answer: answer,
                type: named.flatMap(QuestionType.init(rawValue:)))
            guard known else {
                throw PublishingError.unreadable(
                    "\(place): the question \"\(question)\" had another key before.")
            }
        }

        private func text(_ fields: [[UInt8]], _ column: Int) -> String {
            column < fields.count ? String(decoding: fields[column], as: UTF8.self) : ""
        }

        private func ids(_ fields: [[UInt8]], _ column: Int) -> [String] {
            guard column < fields.count else { return [] }
            return fields[column].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "|") }
                .map { String(decoding: $0, as: UTF8.self) }
        }
    }
}

/// The keys and options of questions, as a file of answers shows them.
private struct KeysOfFile {
    private struct Entry {
        var key: [String]
        var type: QuestionType?
        var options: [String]
        var known: Set<String>
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    /// Takes a row; false when the key is another one than before.
    mutating func take(
        _ question: String, key: [String], answer: [String], type: QuestionType?
    ) -> Bool {
        if let entry = entries[question] {
            guard entry.key == key else { return false }
        } else {
            order.append(question)
            entries[question] = Entry(key: key, type: type, options: [], known: [])
        }
        for id in key + answer where entries[question]?.known.contains(id) == false {
            entries[question]?.known.insert(id)
            entries[question]?.options.append(id)
        }
        return true
    }

    /// Questions of just what the analysis needs.
    func questions() -> [Question] {
        order.compactMap { id in
            guard let entry = entries[id], !entry.key.isEmpty else { return nil }
            var options = entry.options.sorted()
            // A question that all answer alike still needs something else to answer.
            if options.count < 2 { options.append("(other)") }
            let key = entry.key.compactMap { options.firstIndex(of: $0) }
            let type = entry.type ?? (key.count > 1 ? .multiChoice : .singleChoice)
            return Question(
                id: id, type: type, difficulty: 3, stem: id,
                options: options.map { QuestionOption(id: $0, text: $0) }, correct: key)
        }
    }
}
