import ContentModel

/// Feedback in QTI 3.0: the response processing sets the outcomes by which a player shows it.
///
/// A player shows an option's feedback if `FEEDBACK` contains the option's identifier, so `FEEDBACK` becomes the
/// response. The explanation has an outcome of its own, because `FEEDBACK` may have several values (section 5.6.6 of
/// the QTI 3.0 information model).
enum QTIFeedback {
    /// The outcome that shows the explanation.
    static let explanation = "EXPLANATION"

    /// Returns whether the template of the standard, which shows no feedback, is not enough.
    static func isNeeded(_ question: Question) -> Bool {
        question.explanation != nil || hasOptionFeedback(question)
    }

    private static func hasOptionFeedback(_ question: Question) -> Bool {
        question.options.contains { $0.feedback != nil }
    }

    /// Returns the cardinality of a response, and so of `FEEDBACK`.
    static func cardinality(_ type: QuestionType) -> String {
        switch type {
        case .singleChoice, .codeSnippet, .numericEntry: "single"
        case .multiChoice: "multiple"
        case .ordering: "ordered"
        }
    }

    /// Returns the declarations of the outcomes that are used.
    static func declarations(_ question: Question) -> String {
        let options =
            hasOptionFeedback(question)
            ? QTIWriter.outcome(
                "FEEDBACK", "identifier", cardinality: cardinality(question.type)) : ""
        return options
            + (question.explanation == nil ? "" : QTIWriter.outcome(explanation, "identifier"))
    }

    /// The rule of the standard's template `match_correct`.
    static let match =
        "<qti-response-condition><qti-response-if><qti-match>"
        + "<qti-variable identifier=\"RESPONSE\"/><qti-correct identifier=\"RESPONSE\"/></qti-match>"
        + score(1) + "</qti-response-if><qti-response-else>" + score(0)
        + "</qti-response-else></qti-response-condition>"

    private static func score(_ points: Int) -> String {
        set("SCORE", "<qti-base-value base-type=\"float\">\(points)</qti-base-value>")
    }

    /// Returns the rules that set the outcomes.
    static func rules(_ question: Question) -> String {
        let options =
            hasOptionFeedback(question)
            ? set("FEEDBACK", "<qti-variable identifier=\"RESPONSE\"/>") : ""
        guard question.explanation != nil else { return options }
        return options
            + set(
                explanation,
                "<qti-base-value base-type=\"identifier\">explanation</qti-base-value>")
    }

    private static func set(_ outcome: String, _ value: String) -> String {
        "<qti-set-outcome-value identifier=\"\(outcome)\">\(value)</qti-set-outcome-value>"
    }
}
