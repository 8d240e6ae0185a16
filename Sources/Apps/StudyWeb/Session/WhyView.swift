import PageRendering
import StudyModel
import Underway

/// The author's feedback after the response, with the names of its template: on the choice first, then the reason.
struct WhyView {
    struct Feedback {
        var title: String
        /// The language of the title, which may be the text of an option; `nil` for words of the interface.
        var titleContent: ContentLanguage?
        var html: String
    }

    var feedback: [Feedback]
    /// The explanation; `nil` where the author gives none.
    var html: String?
    /// What the question's clip says; `nil` where the author does not say it.
    var transcript: Transcript?
    var content: ContentLanguage

    struct Transcript {
        var title: String
        var html: String
    }

    /// Reads a question and the response to it; `nil` where the author says nothing.
    init?(
        _ response: QuestionResponse?, to question: Question, of subject: Subject,
        _ words: StudyText, _ writer: RichTextHTML
    ) {
        let said = ChoiceFeedback.all(on: response, to: question, words)
        let content = ContentLanguage(subject.contentLanguage)
        let explanation = question.richText(question.explanation ?? "")
        html = explanation.blocks.isEmpty ? nil : writer.html(of: explanation)
        transcript = question.transcript.map {
            Transcript(title: words["session.transcript"], html: writer.html(of: $0))
        }
        guard html != nil || transcript != nil || !said.isEmpty else { return nil }
        self.content = content
        feedback = said.map {
            Feedback(
                title: $0.title, titleContent: $0.isTitleContent ? content : nil,
                html: writer.html(of: question.richText($0.text)))
        }
    }
}
