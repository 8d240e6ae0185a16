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
            version = find(["version", "content_version", "contentversion"])
            mode = find(["mode"])
            random = find(["random", "is_randomly_selected", "israndomlyselected"])
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
                exposures: exposures.flatMap { Int(text(fields, $0)) } ?? 0,
                version: version.map { text(fields, $0) }.flatMap { $0.isEmpty ? nil : $0 },
                mode: mode.flatMap { SessionMode(rawValue: text(fields, $0).lowercased()) },
                isRandom: random.flatMap { Self.truth(text(fields, $0)) })
        }

        func addKey(
            _ fields: [[UInt8]], _ question: String, _ answer: [String],
            into keys: inout ObservedQuestions, place: String
        ) throws {
            guard let key, key < fields.count else { return }
            let named = type.flatMap { $0 < fields.count ? text(fields, $0) : nil }
            let kind = named.flatMap(QuestionType.init(rawValue:))
            if kind == .numericEntry, NumericKey(notation: text(fields, key)) == nil {
                throw PublishingError.unreadable(
                    "\(place): \"\(text(fields, key))\" is no number such as 9.81, no tolerance"
                        + " such as 9.81:0.01 and no range such as 9.8..9.83.")
            }
            let known = keys.add(
                question, key: ids(fields, key), answer: answer, type: kind)
            guard known else {
                throw PublishingError.unreadable(
                    "\(place): the question \"\(question)\" had another key before.")
            }
        }

        private static func truth(_ text: String) -> Bool? {
            switch text.lowercased() {
            case "true", "1", "yes": true
            case "false", "0", "no": false
            default: nil
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
