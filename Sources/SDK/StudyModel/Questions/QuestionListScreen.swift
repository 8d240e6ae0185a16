import Foundation
public import Underway

/// A search among the questions of a subject: words, a filter and a page.
public struct QuestionQuery: Sendable, Hashable {
    /// A filter of questions.
    public enum Filter: String, Sendable, Hashable, CaseIterable {
        /// All questions that can be asked.
        case all
        /// The questions whose last answer was wrong.
        case missed
        /// The saved questions, retired ones included.
        case saved
        /// The questions with a note of the learner, retired ones included.
        case noted
        /// The questions that study does not ask.
        case aside

        /// The key of its name.
        public var key: String { "questions.\(rawValue)" }
    }

    /// The maximum number of characters of a search.
    public static let searchMax = 100

    /// The words, all of which a question must have; empty for all questions.
    public let search: String
    /// The filter.
    public let filter: Filter
    /// The wanted page, from 1.
    public let page: Int

    /// Creates a query; characters of the search beyond ``searchMax`` are ignored.
    public init(search: String = "", filter: Filter = .all, page: Int = 1) {
        self.search = String(search.prefix(Self.searchMax))
            .trimmingCharacters(in: .whitespacesAndNewlines)
        self.filter = filter
        self.page = page
    }
}

/// A page of the questions of a subject.
public struct QuestionListScreen: Sendable, Hashable {
    /// A question in the list.
    public struct Row: Sendable, Hashable, Identifiable {
        /// The question.
        public var question: Question
        /// True if the last answer was right; `nil` for a question without an answer.
        public var isLastRight: Bool?
        /// True for a saved question.
        public var isSaved: Bool
        /// The learner's note; `nil` for none.
        public var note: String?
        /// True for a question that study does not ask.
        public var isAside: Bool

        /// The question's id.
        public var id: String { question.id }
    }

    /// The maximum number of questions on a page.
    public static let pageSize = 20

    /// The language or exam.
    public var subject: Subject
    /// The search and the filter.
    public var query: QuestionQuery
    /// The questions of the page, in the author's order.
    public var rows: [Row]
    /// The number of questions that were found.
    public var count: Int
    /// The page and the number of pages.
    public var page: PageNumber
}

extension QuestionListScreen {
    /// Returns the number of questions that were found, or that there is none.
    public func finding(_ formats: StudyFormats) -> String {
        let words = formats.words
        guard count == 0 else { return words.count("library.questions", count) }
        guard query.search.isEmpty else {
            return words.text("library.nothingFound", ["query": query.search])
        }
        return words[query.filter.emptyKey]
    }
}

extension QuestionQuery.Filter {
    /// The key of the sentence for no question.
    fileprivate var emptyKey: String {
        switch self {
        case .all: "questions.none"
        case .missed: "questions.noneMissed"
        case .saved: "questions.noneSaved"
        case .noted: "questions.noneNoted"
        case .aside: "questions.noneAside"
        }
    }
}

extension QuestionListScreen.Row {
    /// The first line of the question's code, which distinguishes questions with the same words; `nil` without code.
    public var codeLine: String? { question.firstCodeLine }

    /// Returns what the learner did with the question: "last answer wrong · saved · with a note".
    public func standing(_ words: StudyText) -> String {
        question.standing(
            isLastRight, isSaved: isSaved, hasNote: note != nil, isAside: isAside, words)
    }
}

extension Question {
    /// Returns what a learner did with the question, as words with dots between.
    func standing(
        _ isLastRight: Bool?, isSaved: Bool, hasNote: Bool, isAside: Bool, _ words: StudyText
    ) -> String {
        let answer =
            switch isLastRight {
            case nil: "questions.unanswered"
            case true?: "questions.lastRight"
            case false?: "questions.lastWrong"
            }
        let keys = [
            answer, isSaved ? "questions.isSaved" : nil, hasNote ? "questions.hasNote" : nil,
            isAside ? "questions.isAside" : nil, isRetired ? "questions.isRetired" : nil,
        ]
        return keys.compactMap { $0.map { words[$0] } }.joined(separator: " · ")
    }
}
