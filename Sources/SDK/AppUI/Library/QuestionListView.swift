#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of the questions of a subject, to search, to filter and to open.
public struct QuestionListView: View {
    private let model: QuestionListModel
    private let open: @MainActor (String) -> Void
    @State private var search = ""
    @State private var filter = QuestionQuery.Filter.all
    @State private var page = 1
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The questions.
    ///   - open: Shows the question with this id.
    public init(_ model: QuestionListModel, open: @escaping @MainActor (String) -> Void) {
        self.model = model
        self.open = open
    }

    /// The screen.
    public var body: some View {
        List {
            Picker(formats.words["questions.filters"], selection: $filter) {
                ForEach(QuestionQuery.Filter.allCases, id: \.self) { filter in
                    Text(verbatim: formats.words[filter.key]).tag(filter)
                }
            }
            if let problem = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                Text(verbatim: screen.finding(formats))
                ForEach(screen.rows) { row($0, in: screen.subject.contentLanguage) }
                PageButtons(screen.page) { page = $0 }
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .searchable(text: $search, prompt: formats.words["questions.search"])
        .navigationTitle(formats.words["questions.title"])
        .onChange(of: search) { page = 1 }
        .onChange(of: filter) { page = 1 }
        .task(id: query) { await model.load(query) }
    }

    private var query: QuestionQuery {
        QuestionQuery(search: search, filter: filter, page: page)
    }

    private func row(_ row: QuestionListScreen.Row, in language: String?) -> some View {
        Button(action: { open(row.id) }) {
            VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                RichTextView(row.question.richStem).environment(\.contentLanguage, language)
                if let line = row.codeLine {
                    Text(verbatim: line).font(StudyStyle.code)
                        .environment(\.layoutDirection, .leftToRight)
                }
                Text(verbatim: row.standing(formats.words)).font(StudyStyle.small)
                    .foregroundStyle(StudyColor.soft)
            }
        }
    }
}
#endif
