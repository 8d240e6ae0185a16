import PageRendering
import StudyModel
import Underway

/// The values of a report's page: a form, or what was said.
struct ReportView {
    struct Reason {
        var value: String
        var title: String
        var isChosen: Bool
        var isFirst: Bool
    }

    struct Form {
        var reasons: [Reason]
        var text: String
        var lengthMax: Int
        var hint: String
        /// The sentence about the reasons; `nil` when one was chosen.
        var reasonError: String?
        /// The sentence about the text; `nil` when it can be sent.
        var textError: String?
        /// The sentence about all of it; `nil` when it can be sent.
        var error: String?
    }

    struct Said {
        var reason: String
        /// The learner's words; `nil` for none.
        var text: String?
        var state: String
        var isWaiting: Bool
        var changePath: String
    }

    var title: String
    var action: String
    var backPath: String
    var backTitle: String
    /// The question.
    var line: String
    /// The language of the question.
    var content: ContentLanguage
    /// The first line of its code; `nil` without code.
    var codeLine: String?
    var form: Form?
    var said: Said?

    /// Shows the form with a draft; without one, what was said.
    init(
        _ screen: ReportScreen, _ formats: StudyFormats, refusal: ReportDraft.Refusal?,
        draft: ReportDraft?
    ) {
        let words = formats.words
        action = ReportPages.path(screen.session, screen.index, from: screen.origin)
        backPath = Self.origin(screen.session, screen.index, screen.origin)
        backTitle = words[screen.origin == .question ? "simulation.backToQuestion" : "app.back"]
        line = RichTextHTML(words).lineHTML(of: screen.question.richStem)
        content = ContentLanguage(screen.bank.language)
        codeLine = screen.codeLine
        title = words[draft == nil ? "report.said" : "report.title"]
        let texts = ReportText(screen, formats, refusal: refusal)
        if let draft {
            form = Form(draft, texts, refusal)
        } else if let report = screen.report {
            said = Said(
                reason: texts.said ?? "", text: report.text.isEmpty ? nil : report.text,
                state: texts.state ?? "", isWaiting: screen.isWaiting,
                changePath: action + (screen.origin == .question ? "?change=" : "&change="))
        }
    }

    /// Returns the address of the page from which the learner came.
    static func origin(of model: ReportModel) -> String {
        origin(model.session, model.index, model.origin)
    }

    private static func origin(
        _ session: String, _ index: Int, _ origin: ReportScreen.Origin
    ) -> String {
        switch origin {
        case .question: "/session/\(session)/\(index + 1)"
        case .review: "/session/\(session)/review#\(ReviewView.Row.place(number: index + 1))"
        }
    }
}

extension ReportView.Form {
    init(_ draft: ReportDraft, _ words: ReportText, _ refusal: ReportDraft.Refusal?) {
        let chosen = draft.reason ?? words.reasons.first?.reason
        reasons = words.reasons.map {
            ReportView.Reason(
                value: $0.reason.rawValue, title: $0.title, isChosen: $0.reason == draft.reason,
                isFirst: $0.reason == chosen)
        }
        text = draft.text
        lengthMax = QuestionReport.textLengthMax
        hint = words.hint
        switch refusal {
        case .noReason: reasonError = words.refusal
        case .noWords, .tooLong: textError = words.refusal
        case .tooMany: error = words.refusal
        case nil: break
        }
    }
}
