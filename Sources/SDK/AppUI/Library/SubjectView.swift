#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of one subject with its actions: study, placement test, simulated exam.
public struct SubjectView: View {
    private let model: SubjectModel
    private let ratesAnswers: Bool
    private let begun: @MainActor (String) -> Void
    @State private var wanted: SessionMode?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The subject.
    ///   - ratesAnswers: True to let the learner rate right answers.
    ///   - begun: Shows the session with this id.
    public init(
        _ model: SubjectModel, ratesAnswers: Bool = false,
        begun: @escaping @MainActor (String) -> Void
    ) {
        self.model = model
        self.ratesAnswers = ratesAnswers
        self.begun = begun
    }

    /// The screen.
    public var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
                if let problem = model.problem { ProblemCard(problem) }
                if let screen = model.screen {
                    content(screen)
                } else if model.problem == nil {
                    ProgressView(formats.words["app.loading"])
                }
            }
            .padding(StudyStyle.gapLarge)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .background(StudyColor.page)
        .navigationTitle(model.screen?.subject.title ?? "")
        .task { await model.load() }
        .performs($wanted) { mode in
            if let id = await model.begin(mode, ratesAnswers: ratesAnswers) { begun(id) }
        }
    }

    @ViewBuilder
    private func content(_ screen: SubjectScreen) -> some View {
        Text(verbatim: standing(screen))
        if screen.dueCount > 0 {
            Button(formats.words.count("subject.studyDue", screen.dueCount)) { begin(.study) }
                .buttonStyle(.studyFilled)
        }
        if let limit = screen.newLimit(formats.words) {
            Text(verbatim: limit).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
        }
        if screen.hasPlacement {
            Button(formats.words["subject.startPlacement"]) { begin(.placement) }
                .buttonStyle(.studyOutlined)
        } else {
            simulation(screen)
        }
    }

    private func simulation(_ screen: SubjectScreen) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: screen.simulationSentence(formats))
            Button(formats.words["subject.simulate"]) { begin(.exam) }
                .buttonStyle(.studyOutlined)
        }
        .studyCard()
    }

    private func standing(_ screen: SubjectScreen) -> String {
        guard screen.hasPlacement else {
            return formats.words.text(
                "app.share",
                [
                    "part": formats.number(screen.seenCount),
                    "total": formats.number(screen.questionCount),
                ])
        }
        guard let placement = screen.placement, let level = placement.level,
            let low = placement.likelyLevels.first, let high = placement.likelyLevels.last
        else { return formats.words["subject.noLevel"] }
        return formats.words.text(
            "subject.yourLevel", ["level": level, "low": low, "high": high])
    }

    /// Begins a session; while one begins, another press does nothing.
    private func begin(_ mode: SessionMode) { if wanted == nil { wanted = mode } }
}
#endif
