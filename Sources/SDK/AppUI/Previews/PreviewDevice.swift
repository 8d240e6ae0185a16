#if DEBUG && canImport(SwiftUI) && canImport(AVFoundation) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// A device in memory with a small bank, for previews.
@MainActor enum PreviewDevice {
    static let exam = QuestionFilter.Bank.exam(region: "int", exam: "harbour")

    /// Returns the services of a new learner; without content those of an app before its first sync.
    static func services(hasContent: Bool = true) -> StudyServices {
        do {
            return StudyServices(
                content: try .inMemory(blueprints: hasContent ? [.preview] : []),
                userData: try UserStore.inMemory())
        } catch {
            fatalError("A store in memory opens: \(error)")
        }
    }

    /// Returns the services of a learner who has answered, saved and booked something.
    static func busy() async -> StudyServices {
        let services = services()
        let model = await session(services, .study)
        await model.answer(.options(["a"]), at: 0)
        await model.setFavourite(at: 0, true)
        return services
    }

    /// Returns a session that shows a question: the one of a type, answered or not.
    static func session(
        _ services: StudyServices, _ mode: SessionMode, answering response: QuestionResponse? = nil
    ) async -> SessionModel {
        let id = try? await SessionStart(services).begin(exam, mode)
        let model = SessionModel(services, id: id ?? "")
        await model.load()
        if let response { await model.answer(response, at: model.screen?.index ?? 0) }
        return model
    }

    static let formats = StudyFormats(words: StudyText(language: "en"), calendar: .current)
    static let arabic = StudyFormats(words: StudyText(language: "ar"), calendar: .current)
}

/// A screen with a model that is made in steps.
struct PreviewScreen<Model, Content: View>: View {
    private let make: @MainActor () async -> Model
    private let content: @MainActor (Model) -> Content
    @State private var model: Model?

    init(
        _ make: @escaping @MainActor () async -> Model,
        @ViewBuilder content: @escaping @MainActor (Model) -> Content
    ) {
        self.make = make
        self.content = content
    }

    var body: some View {
        NavigationStack {
            if let model { content(model) } else { ProgressView() }
        }
        .modifier(PreviewLoading($model, make))
    }
}

/// Makes the model of a preview once.
private struct PreviewLoading<Model>: ViewModifier {
    @Binding private var model: Model?
    private let make: @MainActor () async -> Model

    init(_ model: Binding<Model?>, _ make: @escaping @MainActor () async -> Model) {
        _model = model
        self.make = make
    }

    func body(content: Content) -> some View { content.task { await load() } }

    private func load() async { model = await make() }
}

extension Blueprint {
    /// An exam with a question of each type.
    fileprivate static var preview: Blueprint {
        Blueprint(
            kind: .exam, id: "int/harbour", title: "Harbour Master", version: "1",
            domains: [Domain(id: "rules", title: "Rules of the road", weight: 100)],
            levels: [1: "Deckhand", 2: "Mate"], scoring: Scoring(passFraction: 0.6),
            questions: [
                Question(
                    id: "lights", type: .singleChoice, domain: "rules", difficulty: 1,
                    stem: "Which colour is the sidelight on the port side?",
                    options: [
                        QuestionOption(id: "a", text: "Red"),
                        QuestionOption(id: "b", text: "Green", feedback: "That is starboard."),
                    ], correct: [0], explanation: "Port is red, starboard is green."),
                Question(
                    id: "speed", type: .multiChoice, domain: "rules", difficulty: 2,
                    stem: "Which hold for $v=\\frac{s}{t}$?\n\n$$t=\\sqrt{\\frac{2s}{g}}$$",
                    options: [
                        QuestionOption(id: "a", text: "$s=v\\cdot t$"),
                        QuestionOption(id: "b", text: "$t=s\\cdot v$"),
                        QuestionOption(id: "c", text: "$v^2=\\frac{s^2}{t^2}$"),
                    ], correct: [0, 2], textForm: .markdown),
                Question(
                    id: "mooring", type: .ordering, domain: "rules", difficulty: 2,
                    stem: "Put the steps of coming alongside in order.",
                    options: [
                        QuestionOption(id: "a", text: "Rig the fenders"),
                        QuestionOption(id: "b", text: "Pass the bow line ashore"),
                        QuestionOption(id: "c", text: "Switch off the engine"),
                    ], correct: [0, 1, 2]),
                Question(
                    id: "course", type: .codeSnippet, domain: "rules", difficulty: 2,
                    stem: "What does this print?",
                    code: CodeSnippet(language: "swift", text: "print((350 + 20) % 360)"),
                    options: [
                        QuestionOption(id: "a", text: "10"), QuestionOption(id: "b", text: "370"),
                    ], correct: [0]),
            ])
    }
}
#endif
