#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of one question outside of a session, with the learner's note.
public struct BankQuestionView: View {
    private let model: QuestionModel
    private let notes: NoteModel
    private let asides: SetAsideModel
    /// The note in the field; `nil` until the question is loaded.
    @State private var typed: String?
    @State private var sent: String?
    @State private var isAside: Bool?
    @State private var isTooLong = false
    @State private var pictures: [String: LoadedPicture] = [:]
    @State private var player = ClipPlayer()
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a question.
    ///
    /// - Parameters:
    ///   - model: The question.
    ///   - notes: The notes.
    ///   - asides: The questions that study does not ask.
    public init(_ model: QuestionModel, notes: NoteModel, asides: SetAsideModel) {
        self.model = model
        self.notes = notes
        self.asides = asides
    }

    /// The screen.
    public var body: some View {
        List {
            if let problem = model.problem ?? notes.problem ?? asides.problem {
                ProblemCard(problem)
            }
            if let screen = model.screen {
                question(screen)
                answer(screen)
                aside(screen)
                note
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .navigationTitle(formats.words["questions.title"])
        .task { await load() }
        .task(id: model.screen?.images) { await loadPictures() }
        .performs($sent) { await write($0) }
        .performs($isAside) { await set($0) }
        .onDisappear { player.stop() }
    }

    private func question(_ screen: QuestionScreen) -> some View {
        Section {
            RichTextView(screen.question.richStem).questionFont()
                .accessibilityAddTraits(.isHeader)
                .environment(\.contentLanguage, screen.subject.contentLanguage)
            if let code = screen.question.code {
                QuestionCode(code.text, name: formats.words["session.code"])
            }
            if let name = screen.question.image {
                QuestionPicture(pictures[name], size: screen.pictureSizes[name])
            }
            if let clip = screen.clip {
                ClipRow(clip, player: player, hasKey: true) { [model] in await model.clip() }
                    .environment(\.contentLanguage, screen.subject.contentLanguage)
            }
        } header: {
            Text(verbatim: screen.crumbs)
        } footer: {
            Text(verbatim: screen.standing(formats.words))
        }
    }

    private func answer(_ screen: QuestionScreen) -> some View {
        Section {
            if let secret = screen.secret { Text(verbatim: formats.words[secret.key]) }
            ForEach(screen.options) { option in
                RowText(
                    screen.question.richText(option.shownText).plainText,
                    [screen.isRight(option) ? formats.words["session.rightAnswer"] : ""])
            }
            if let number = screen.rightNumber(formats) { Text(verbatim: number) }
            if screen.secret == nil {
                WhyText(nil, screen.question, title: formats.words["session.why"])
            }
        }
        .environment(\.contentLanguage, screen.subject.contentLanguage)
    }

    private func aside(_ screen: QuestionScreen) -> some View {
        Section {
            if let record = screen.setAside { Text(verbatim: record.sentence(formats.words)) }
            Button(formats.words[screen.setAside == nil ? "aside.set" : "aside.ask"]) {
                if isAside == nil { isAside = screen.setAside == nil }
            }
        }
    }

    private var note: some View {
        Section {
            TextField(
                formats.words["questions.note"],
                text: $typed[shown: ""], axis: .vertical
            )
            .frame(minHeight: StudyStyle.targetMin)
            if isTooLong {
                ProblemLine(
                    formats.words.text(
                        "questions.noteTooLong", ["most": formats.number(QuestionNote.lengthMax)])
                )
            }
            Button(formats.words["questions.saveNote"]) { if sent == nil { sent = typed } }
        } header: {
            Text(verbatim: formats.words["questions.note"])
        } footer: {
            Text(verbatim: formats.words["questions.noteHint"])
        }
    }

    private func load() async {
        await model.load()
        if typed == nil { typed = model.screen.map { $0.note ?? "" } }
    }

    private func loadPictures() async {
        pictures = [:]
        for name in model.screen?.question.imageNames ?? [] {
            pictures[name] = LoadedPicture(await model.picture(name))
        }
    }

    private func set(_ isAside: Bool) async {
        await asides.set(isAside, model.id, of: model.bank)
        if asides.problem == nil { await model.load() }
    }

    private func write(_ text: String) async {
        guard let note = QuestionNote(text) else { return isTooLong = true }
        isTooLong = false
        await notes.write(note, on: model.id, of: model.bank)
        await model.load()
    }
}
#endif
