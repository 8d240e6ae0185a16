#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import StudyModel
import SwiftUI

/// The question whether first answers may be used, on the result of one session.
struct ConsentCard: View {
    private let model: ConsentModel
    private let result: ResultScreen
    @State private var answer: Bool?
    @Environment(\.studyFormats) private var formats

    init(_ model: ConsentModel, after result: ResultScreen) {
        self.model = model
        self.result = result
    }

    var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            if let problem = model.problem { ProblemCard(problem) }
            if model.screen?.isAsked == true {
                Text(verbatim: formats.words["consent.title"]).font(StudyStyle.cardHeading)
                    .accessibilityAddTraits(.isHeader)
                Text(verbatim: formats.words["consent.why"])
                // Two equal choices.
                FittingButtons {
                    choice("consent.yes", true)
                    choice("consent.no", false)
                }
            }
        }
        .task { [model, result] in await model.load(after: result) }
        .performs($answer) { [model] in await model.answer($0) }
    }

    private func choice(_ key: String, _ isGiven: Bool) -> some View {
        Button(formats.words[key]) { answer = isGiven }.buttonStyle(.studyOutlined)
    }
}

/// The switch of that consent in the settings; nothing on a device without a server.
struct ConsentToggle: View {
    private let model: ConsentModel
    @State private var wanted: Bool?
    @Environment(\.studyFormats) private var formats

    init(_ model: ConsentModel) { self.model = model }

    var body: some View {
        Group {
            if let screen = model.screen {
                Toggle(isOn: $wanted[or: screen.isGiven == true]) {
                    RowText(
                        formats.words["settings.consent"], [formats.words["settings.consentHint"]])
                }
            }
            if let problem = model.problem { ProblemLine(formats.words[problem.code.key]) }
        }
        .task { [model] in await model.load() }
        .performs($wanted) { [model] in await model.answer($0) }
    }
}

extension Bool? {
    /// The switch as it is shown; setting it asks for the change.
    fileprivate subscript(or saved: Bool) -> Bool {
        get { self ?? saved }
        set { self = newValue }
    }
}
#endif
