#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of the subjects of the installed content, to search and to open.
public struct LibraryView: View {
    private let model: LibraryModel
    private let open: @MainActor (Subject) -> Void
    @State private var search = ""
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    public init(_ model: LibraryModel, open: @escaping @MainActor (Subject) -> Void) {
        self.model = model
        self.open = open
    }

    /// The screen.
    public var body: some View {
        List {
            if let screen = model.screen {
                rows(formats.words["library.exams"], screen.exams)
                rows(formats.words["library.languages"], screen.languages)
                if screen.exams.isEmpty, screen.languages.isEmpty {
                    Text(verbatim: emptySentence(screen))
                }
            } else if let problem = model.problem {
                ProblemCard(problem)
            } else {
                ProgressView(formats.words["app.loading"])
            }
        }
        .searchable(text: $search, prompt: formats.words["library.search"])
        .navigationTitle(formats.words["library.title"])
        .task(id: search) { await model.load(search: search, language: formats.words.language) }
    }

    @ViewBuilder
    private func rows(_ title: String, _ rows: [LibraryScreen.Row]) -> some View {
        if !rows.isEmpty {
            Section(title) {
                ForEach(rows) { row in
                    Button(action: { open(row.subject) }) {
                        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                            Text(verbatim: row.subject.title).foregroundStyle(StudyColor.ink)
                            Text(verbatim: details(row)).font(StudyStyle.small)
                                .foregroundStyle(StudyColor.soft)
                        }
                    }
                    .environment(\.locale, row.subject.locale ?? formats.words.locale)
                }
            }
        }
    }

    private func emptySentence(_ screen: LibraryScreen) -> String {
        guard !screen.search.isEmpty else { return formats.words["library.empty"] }
        return formats.words.text("library.nothingFound", ["query": screen.search])
    }

    private func details(_ row: LibraryScreen.Row) -> String {
        let count = row.questionCount.map { formats.words.count("library.questions", $0) }
        let standing = row.isStarted ? nil : formats.words["library.notStarted"]
        return [row.subject.region.map(formats.region), count, standing, files(row)].compactMap {
            $0
        }
        .joined(separator: " · ")
    }

    private func files(_ row: LibraryScreen.Row) -> String? {
        guard let bytes = row.fileBytes, row.subject.language != nil else { return nil }
        guard !row.hasFiles else { return formats.words["library.audioOnDevice"] }
        return formats.words.text("library.audioSize", ["size": formats.bytes(bytes)])
    }
}
#endif
