import PageRendering
import StudyModel
import Underway

/// The author's feedback after the response, with the names of its template: on the choice first, then the reason.
struct WhyView {
    struct Feedback {
        var title: String
        /// The language of the title, which may be the text of an option; `nil` for words of the interface.
        var titleContent: ContentLanguage?
        var runs: [TextRun]
    }

    var feedback: [Feedback]
    var runs: [TextRun]
    var hasRuns: Bool
    var content: ContentLanguage

    /// Reads a question and the response to it; `nil` where the author says nothing.
    init?(
        _ response: QuestionResponse?, to question: Question, of subject: Subject,
        _ words: StudyText
    ) {
        let said = ChoiceFeedback.all(on: response, to: question, words)
        let content = ContentLanguage(subject.language)
        runs = TextRun.runs(of: question.explanation ?? "")
        hasRuns = !runs.isEmpty
        guard hasRuns || !said.isEmpty else { return nil }
        self.content = content
        feedback = said.map {
            Feedback(
                title: TextRun.plain($0.title), titleContent: $0.isTitleContent ? content : nil,
                runs: TextRun.runs(of: $0.text))
        }
    }
}
