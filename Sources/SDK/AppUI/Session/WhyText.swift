#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import StudyModel
import SwiftUI
import Underway

/// The author's texts after the answer: feedback on the choice first, then the explanation.
struct WhyText: View {
    private let response: QuestionResponse?
    private let question: Question
    private let title: String?
    @Environment(\.studyFormats) private var formats

    /// Creates the texts about a response.
    ///
    /// - Parameters:
    ///   - response: The learner's response; `nil` for none.
    ///   - question: The question.
    ///   - title: The heading; `nil` for none.
    init(_ response: QuestionResponse?, _ question: Question, title: String? = nil) {
        self.response = response
        self.question = question
        self.title = title
    }

    var body: some View {
        let said = ChoiceFeedback.all(on: response, to: question, formats.words)
        let explanation = question.explanation ?? ""
        let transcript = question.transcript
        if !said.isEmpty || !explanation.isEmpty || transcript != nil {
            VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                if let title {
                    Text(verbatim: title).font(StudyStyle.cardHeading)
                        .accessibilityAddTraits(.isHeader)
                }
                ForEach(said) { feedback in
                    if feedback.isTitleContent {
                        Text(verbatim: feedback.title).bold()
                    } else {
                        Text(verbatim: feedback.title).bold()
                    }
                    RichTextView(feedback.text, of: question)
                }
                if !explanation.isEmpty { RichTextView(explanation, of: question) }
                if let transcript {
                    Text(verbatim: formats.words["session.transcript"]).bold()
                    RichTextView(transcript)
                }
            }
        }
    }
}
#endif
