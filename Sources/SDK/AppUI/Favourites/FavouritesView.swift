#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of saved questions, by subject: study them, remove one, undo the removal.
public struct FavouritesView: View {
    /// A step that a control asked for.
    private enum Step: Equatable {
        case study(QuestionFilter.Bank)
        case remove(String)
        case restore(Removed)
    }

    /// A question that was removed.
    private struct Removed: Equatable {
        let id: String
        let favourite: Favourite
    }

    private let model: FavouritesModel
    private let ratesAnswers: Bool
    private let begun: @MainActor (String) -> Void
    @State private var step: Step?
    @State private var removed: Removed?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The saved questions.
    ///   - ratesAnswers: True to let the learner rate right answers.
    ///   - begun: Shows the session with this id.
    public init(
        _ model: FavouritesModel, ratesAnswers: Bool = false,
        begun: @escaping @MainActor (String) -> Void
    ) {
        self.model = model
        self.ratesAnswers = ratesAnswers
        self.begun = begun
    }

    /// The screen.
    public var body: some View {
        List {
            if let problem = model.problem { ProblemCard(problem) }
            if let removed {
                Section {
                    Text(verbatim: formats.words["favourites.removed"])
                    Button(formats.words["app.undo"]) { ask(.restore(removed)) }
                }
            }
            if let screen = model.screen {
                content(screen)
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .navigationTitle(formats.words["favourites.title"])
        .task { await model.load() }
        .performs($step) { await take($0) }
    }

    @ViewBuilder
    private func content(_ screen: FavouritesScreen) -> some View {
        if screen.groups.isEmpty { Text(verbatim: formats.words["favourites.empty"]) }
        ForEach(screen.groups) { group in
            Section(group.subject.title) {
                if group.askedCount > 0 {
                    Button(formats.words["favourites.study"]) { ask(.study(group.subject.bank)) }
                        .accessibilityLabel(
                            formats.words.text(
                                "favourites.studySubject", ["subject": group.subject.title]))
                }
                ForEach(group.rows) { row($0, in: group.subject.contentLanguage) }
            }
            .environment(\.locale, group.subject.locale ?? formats.words.locale)
        }
    }

    private func row(_ row: FavouritesScreen.Row, in language: String?) -> some View {
        let text = row.question?.richStem
        let name = text?.plainText ?? formats.words["favourites.gone"]
        return AdaptiveRow {
            RichTextView(text ?? RichText(name, form: .plain))
                .frame(maxWidth: .infinity, alignment: .leading)
                .environment(\.contentLanguage, row.question == nil ? nil : language)
            Button(formats.words["app.remove"]) { ask(.remove(row.id)) }
                .buttonStyle(.borderless)
                .frame(minHeight: StudyStyle.targetMin)
                .accessibilityLabel(
                    formats.words.text(
                        "favourites.removeNamed", ["question": name]))
        }
        .removes(formats.words["app.remove"]) { ask(.remove(row.id)) }
    }

    /// Requests a step; it has no effect while one is under way.
    private func ask(_ wanted: Step) { if step == nil { step = wanted } }

    private func take(_ step: Step) async {
        switch step {
        case .study(let bank):
            if let id = await model.study(bank, ratesAnswers: ratesAnswers) { begun(id) }
        case .remove(let id):
            guard let favourite = await model.remove(id: id) else { return }
            removed = Removed(id: id, favourite: favourite)
        case .restore(let wanted):
            await model.restore(wanted.favourite, id: wanted.id)
            if model.problem == nil { removed = nil }
        }
    }
}

extension Subject {
    /// The locale in which the subject's title and questions are spoken; `nil` for the learner's.
    var locale: Locale? { language.map { Locale(identifier: $0) } }
}
#endif
