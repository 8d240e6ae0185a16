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
        List { LibraryRows(model, open: open) }
            .searchable(text: $search, prompt: formats.words["library.search"])
            .navigationTitle(formats.words["library.title"])
            .task(id: search) { await model.load(search: search, language: formats.words.language) }
    }
}

/// The subjects of a library as rows: exams, then languages.
struct LibraryRows: View {
    private let model: LibraryModel
    private let open: @MainActor (Subject) -> Void
    @Environment(\.studyFormats) private var formats

    init(_ model: LibraryModel, open: @escaping @MainActor (Subject) -> Void) {
        self.model = model
        self.open = open
    }

    var body: some View {
        if let screen = model.screen {
            SubjectRows(formats.words["library.exams"], screen.exams, open: open)
            SubjectRows(formats.words["library.languages"], screen.languages, open: open)
            if screen.exams.isEmpty, screen.languages.isEmpty {
                Text(verbatim: screen.emptySentence(formats))
            }
        } else if let problem = model.problem {
            ProblemCard(problem)
        } else {
            ProgressView(formats.words["app.loading"])
        }
    }
}

/// The subjects of a kind as rows below their heading; nothing without one.
private struct SubjectRows: View {
    private let title: String
    private let rows: [LibraryScreen.Row]
    private let open: @MainActor (Subject) -> Void
    @Environment(\.studyFormats) private var formats

    init(
        _ title: String, _ rows: [LibraryScreen.Row], open: @escaping @MainActor (Subject) -> Void
    ) {
        self.title = title
        self.rows = rows
        self.open = open
    }

    var body: some View {
        if !rows.isEmpty {
            Section(title) {
                ForEach(rows) { row in
                    Button(action: { open(row.subject) }) {
                        RowText(row.subject.title, [details(row)])
                    }
                    .environment(\.locale, row.subject.locale ?? formats.words.locale)
                }
            }
        }
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

extension LibraryScreen {
    /// Returns the sentence for no subject.
    func emptySentence(_ formats: StudyFormats) -> String {
        guard !search.isEmpty else { return formats.words["library.empty"] }
        return formats.words.text("library.nothingFound", ["query": search])
    }
}
#endif
