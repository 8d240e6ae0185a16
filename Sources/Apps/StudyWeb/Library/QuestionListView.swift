import Foundation
import PageRendering
import StudyModel
import Underway

/// The search among the questions of a subject, with the names of `part_question_search`.
struct QuestionSearchView {
    struct Filter {
        var href: String
        var title: String
        var isCurrent: Bool
    }

    var action: String
    var query: String
    /// The filter that a search keeps; `nil` for all questions.
    var show: String?
    var filters: [Filter]

    /// Shows a search.
    ///
    /// - Parameters:
    ///   - subject: The language or exam.
    ///   - query: The search.
    ///   - words: The words of the filters.
    ///   - current: The filter of the page; `nil` for the subject's own page, which lists no question.
    init(
        _ subject: Subject, _ query: QuestionQuery, _ words: StudyText,
        current: QuestionQuery.Filter?
    ) {
        action = "/library/\(subject.id)"
        self.query = query.search
        show = query.filter == .all ? nil : query.filter.rawValue
        filters = QuestionQuery.Filter.allCases.map { filter in
            Filter(
                href: QuestionPages.path(
                    subject.id, QuestionQuery(search: query.search, filter: filter)),
                title: words[filter.key], isCurrent: filter == current)
        }
    }
}

/// The values of the page of a subject's questions.
struct QuestionListView {
    struct Row {
        var href: String
        /// The text without marks, at most ``lengthMax`` characters of it.
        var text: String
        var codeLine: String?
        var content: ContentLanguage
        var standing: String
    }

    var back: PageFrame.Link
    var language: String?
    var search: QuestionSearchView
    var finding: String
    var rows: [Row]
    var hasRows: Bool
    var pages: PageLinks?

    init(_ screen: QuestionListScreen, _ formats: StudyFormats) {
        let bank = screen.subject.id
        back = .init(href: "/library/\(bank)", title: screen.subject.title)
        language = screen.subject.language
        search = QuestionSearchView(
            screen.subject, screen.query, formats.words, current: screen.query.filter)
        finding = screen.finding(formats)
        rows = screen.rows.map { Row($0, screen.subject, formats.words) }
        hasRows = !rows.isEmpty
        pages = PageLinks(screen.page, formats) { number in
            QuestionPages.path(
                bank,
                QuestionQuery(
                    search: screen.query.search, filter: screen.query.filter, page: number))
        }
    }
}

extension QuestionListView.Row {
    /// The maximum number of characters of a question in the list; its own page has all of them.
    private static let lengthMax = 240

    init(_ row: QuestionListScreen.Row, _ subject: Subject, _ words: StudyText) {
        href = QuestionPages.path(subject.id, question: row.id)
        let stem = row.question.richStem.titleText
        text = stem.count > Self.lengthMax ? stem.prefix(Self.lengthMax) + "…" : stem
        codeLine = row.codeLine
        content = ContentLanguage(subject.contentLanguage)
        standing = row.standing(words)
    }
}
