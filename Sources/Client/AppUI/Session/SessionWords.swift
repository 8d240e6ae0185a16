#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import StudyModel
import Underway

/// The sentences of a session's foot.
struct SessionWords {
    let formats: StudyFormats

    /// Returns the verdict, the problem or the hint of a question; `nil` when there is nothing to say.
    func foot(_ screen: SessionScreen, problem: StudyProblem?) -> VerdictWords? {
        if let problem { return VerdictWords(.none, sentence(problem, screen)) }
        guard let verdict = screen.verdict else {
            return hint(screen).map { VerdictWords(.none, $0) }
        }
        let next = verdict.daysUntilNext.map {
            formats.words.text("session.nextReview", ["interval": formats.interval(days: $0)])
        }
        guard !verdict.grade.isCorrect else {
            return VerdictWords(.right, formats.words["session.right"], detail: next)
        }
        return VerdictWords(.wrong, wrong(screen, verdict), detail: next)
    }

    /// Returns the sentence for a problem.
    func sentence(_ problem: StudyProblem, _ screen: SessionScreen? = nil) -> String {
        let isNumber = screen?.question.type == .numericEntry
        let key =
            switch problem.code {
            case .notFound: "session.missing"
            case .notSaved: "session.notKept"
            case .unreadable: "errors.readFailed"
            case .offline: "freshness.offline"
            case .changed: "session.answeredAlready"
            case .ended: "session.ended"
            case .noResponse: isNumber ? "session.enterFirst" : "session.chooseFirst"
            case .noNumber, .ambiguousNumber: "session.enterFirst"
            case .nothingToAsk: "today.done"
            }
        return formats.words[key]
    }

    private func hint(_ screen: SessionScreen) -> String? {
        switch screen.question.type {
        case .multiChoice: formats.words["session.severalHint"]
        case .ordering: formats.words["session.orderHint"]
        case .singleChoice, .codeSnippet, .numericEntry: nil
        }
    }

    private func wrong(_ screen: SessionScreen, _ verdict: SessionScreen.Verdict) -> String {
        let right = verdict.grade.correctOptionIDs
        let given = verdict.response.optionIDs
        switch screen.question.type {
        case .singleChoice, .codeSnippet:
            let answer = screen.options.first { right.contains($0.id) }?.text ?? ""
            return itIs(answer.replacing("`", with: ""))
        case .multiChoice:
            return part("session.someRight", given.count { right.contains($0) }, right.count)
        case .ordering:
            return part("session.someInPlace", zip(given, right).count { $0 == $1 }, right.count)
        case .numericEntry:
            return itIs(verdict.grade.correctNumber?.text ?? "")
        }
    }

    private func itIs(_ answer: String) -> String {
        formats.words.text("session.notQuiteItIs", ["answer": answer])
    }

    private func part(_ key: String, _ part: Int, _ total: Int) -> String {
        formats.words.text(
            key, ["part": formats.number(part), "total": formats.number(total)])
    }
}
#endif
