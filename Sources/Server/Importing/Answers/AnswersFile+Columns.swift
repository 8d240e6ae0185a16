import ContentModel
import Foundation
import Publishing
import QuestionEngine

extension AnswersFile {
    /// The index of each value in a row.
    struct Columns {
        private let person: Int
        private let question: Int
        private let answer: Int
        private let key: Int?
        private let type: Int?
        private let exposures: Int?
        private let version: Int?
        private let mode: Int?
        private let random: Int?
        private let needsKey: Bool
        /// True when the file has the number of earlier exposures.
        var hasExposures: Bool { exposures != nil }
        /// The names of columns that are not read.
        let unread: [String]

        init(_ table: ResponseCSV, needsKey: Bool) throws {
            key = table.column("key", "correct")
            type = table.column("type")
            exposures = table.column("exposures", "exposuresbefore")
            version = table.column("version", "contentversion")
            mode = table.column("mode")
            random = table.column("random", "israndomlyselected")
            guard let person = table.column("person", "user", "learner"),
                let question = table.column("question", "item", "questionid"),
                let answer = table.column("answer", "response", "options", "optionids")
            else {
                throw PublishingError.unreadable(
                    "\(table.path) needs the columns person, question and answer; it has "
                        + (table.names.isEmpty
                            ? "none." : table.names.joined(separator: ", ") + ".")
                )
            }
            if needsKey, key == nil {
                throw PublishingError.unreadable(
                    "\(table.path) has no column key; name the questions with --exam content/exams/…."
                )
            }
            self.person = person
            self.question = question
            self.answer = answer
            self.needsKey = needsKey
            let read = [person, question, answer, key, type, exposures, version, mode, random]
            unread = table.names.indices.filter { !read.contains($0) && !table.names[$0].isEmpty }
                .map { table.names[$0] }
        }

        /// Reads a row.
        ///
        /// - Throws: `PublishingError` `unreadable` with the place and the value at fault.
        func row(_ row: ResponseCSV.Row) throws -> Row {
            for (name, column) in [("person", person), ("question", question)]
            where row.text(column).isEmpty {
                throw PublishingError.unreadable("\(row.place): the row names no \(name).")
            }
            let seen = try row.value(exposures, "exposures", "a whole number from 0") { text in
                Int(text).flatMap { $0 < 0 ? nil : $0 }
            }
            // Without the column nobody says that an answer is not the first; an empty value says nothing.
            guard seen != nil || exposures == nil else {
                throw PublishingError.unreadable(
                    "\(row.place): exposures is empty; 0 for a first sight.")
            }
            let (key, type) = try keyed(row)
            return Row(
                place: row.place, person: row.text(person), question: row.text(question),
                answer: row.parts(answer),
                exposures: seen ?? 0,
                version: row.text(version).isEmpty ? nil : row.text(version),
                mode: try row.value(
                    mode, "mode",
                    "one of " + AnswerMode.allCases.map(\.rawValue).joined(separator: ", ")
                ) { AnswerMode(rawValue: $0.lowercased()) },
                isRandom: try row.value(random, "random", "true or false", Self.truth), key: key,
                type: type)
        }

        /// Returns the key of a row's question, and its type.
        ///
        /// - Throws: `PublishingError` `unreadable` for a key that is missing or no number.
        private func keyed(_ row: ResponseCSV.Row) throws -> (key: [String], type: QuestionType?) {
            guard needsKey, let key else { return ([], nil) }
            let text = row.text(key)
            guard !text.isEmpty else {
                throw PublishingError.unreadable("\(row.place): the row names no key.")
            }
            let types = QuestionType.allCases.map(\.rawValue).joined(separator: ", ")
            let kind = try row.value(type, "type", "one of \(types)", QuestionType.init(rawValue:))
            if kind == .numericEntry, NumericKey(notation: text) == nil {
                throw PublishingError.unreadable(
                    "\(row.place): \"\(text)\" is no number such as 9.81, no tolerance"
                        + " such as 9.81:0.01 and no range such as 9.8..9.83.")
            }
            let parts = row.parts(key)
            guard parts.count < 2 || kind != .singleChoice && kind != .codeSnippet else {
                throw PublishingError.unreadable(
                    "\(row.place): a question with one right option has the key \"\(text)\".")
            }
            return (parts, kind)
        }

        private static func truth(_ text: String) -> Bool? {
            switch text.lowercased() {
            case "true", "1", "yes": true
            case "false", "0", "no": false
            default: nil
            }
        }
    }
}

/// The questions with their keys and options, as a file of answers shows them.
struct ObservedQuestions {
    private struct Entry {
        var key: [String]
        var type: QuestionType?
        var options: [String]
        var known: Set<String>
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    /// Adds a row; returns false when its key contradicts an earlier row.
    mutating func add(
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

    /// Returns questions with only what the analysis needs.
    func questions() -> [Question] {
        order.compactMap { id in
            guard let entry = entries[id], !entry.key.isEmpty else { return nil }
            switch entry.type {
            case .numericEntry:
                return NumericKey(notation: entry.key.joined()).map {
                    Question(
                        id: id, type: .numericEntry, difficulty: 3, stem: id, key: .number($0))
                }
            case .singleChoice, .multiChoice, .ordering, .codeSnippet, nil: break
            }
            var options = entry.options.sorted()
            // A question that everybody answers alike still needs a second option.
            if options.count < 2 { options.append("(other)") }
            let key = entry.key.compactMap { options.firstIndex(of: $0) }
            let type = entry.type ?? (key.count > 1 ? .multiChoice : .singleChoice)
            return Question(
                id: id, type: type, difficulty: 3, stem: id,
                options: options.map { QuestionOption(id: $0, text: $0) }, correct: key)
        }
    }
}
