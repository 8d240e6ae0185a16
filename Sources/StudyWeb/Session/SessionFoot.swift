import StudyModel
import Underway

/// The foot of a question: the verdict or a hint, and the next step, under the names of its part.
struct SessionFoot {
    struct Button {
        var title: String
        var name: String?
        var value: String?
        var isPrimary: Bool
        var isFocused = false
        var key: String?
        var keyTitle: String?
        var interval: String?
    }

    var tone = ""
    var icon: String?
    var verdict: String
    var missing: String
    var isRating = false
    var buttons: [Button]

    init(_ screen: SessionScreen, _ formats: StudyFormats, problem: StudyProblem?) {
        let words = formats.words
        missing =
            words[
                screen.question.type == .numericEntry ? "session.enterFirst" : "session.chooseFirst"
            ]
        if let verdict = screen.verdict {
            self.verdict = Self.text(screen, verdict, formats)
            tone = verdict.grade.isCorrect ? "right" : "wrong"
            icon = verdict.grade.isCorrect ? "check" : "cross"
            isRating = !verdict.daysByRating.isEmpty
            buttons =
                isRating
                ? Self.ratings(verdict, formats)
                : [
                    Button(
                        title: words[screen.next == nil ? "session.finish" : "session.continue"],
                        isPrimary: true, isFocused: true, keyTitle: "Enter")
                ]
            return
        }
        verdict = Self.hint(screen, words)
        buttons = Self.steps(screen, words)
        if let problem {
            (tone, icon) = ("care", "warning")
            verdict =
                switch problem.code {
                case .noResponse: missing
                case .notSaved: words["session.notKept"]
                default: words[problem.code.key]
                }
        }
    }

    private static func steps(_ screen: SessionScreen, _ words: StudyWords) -> [Button] {
        let next = Button(
            title: words[screen.showsVerdicts ? "session.check" : "simulation.next"],
            isPrimary: true, keyTitle: "Enter")
        switch screen.mode {
        case .study: return [next]
        case .placement:
            return [
                Button(title: words["session.skip"], name: "step", value: "skip", isPrimary: false),
                next,
            ]
        case .exam:
            let flag = screen.isFlagged ? "unflag" : "flag"
            return [
                Button(
                    title: words["simulation.\(flag)"], name: "step", value: flag,
                    isPrimary: false, key: "f"), next,
            ]
        }
    }

    private static func ratings(
        _ verdict: SessionScreen.Verdict, _ formats: StudyFormats
    ) -> [Button] {
        [(Rating.hard, "hard"), (.good, "good"), (.easy, "easy")].enumerated().map { index, entry in
            Button(
                title: formats.words["session.\(entry.1)"], name: "rating",
                value: String(entry.0.rawValue), isPrimary: entry.0 == .good,
                isFocused: entry.0 == .good, key: String(index + 1),
                interval: verdict.daysByRating[entry.0].map { formats.interval(days: $0) })
        }
    }

    private static func hint(_ screen: SessionScreen, _ words: StudyWords) -> String {
        switch screen.question.type {
        case .multiChoice: words["session.severalHint"]
        case .ordering: words["session.orderHint"]
        case .singleChoice, .codeSnippet, .numericEntry: ""
        }
    }

    private static func text(
        _ screen: SessionScreen, _ verdict: SessionScreen.Verdict, _ formats: StudyFormats
    ) -> String {
        let (words, right) = (formats.words, verdict.grade.correctOptionIDs)
        if verdict.grade.isCorrect { return words["session.right"] }
        func share(_ key: String, _ hits: Int) -> String {
            words.text(
                key, ["part": formats.number(hits), "total": formats.number(right.count)])
        }
        switch screen.question.type {
        case .singleChoice, .codeSnippet:
            let answer = screen.options.first { right.contains($0.id) }?.text ?? ""
            return words.text("session.notQuiteItIs", ["answer": TextRun.plain(answer)])
        case .multiChoice:
            return share(
                "session.someRight", verdict.response.optionIDs.count { right.contains($0) })
        case .ordering:
            return share(
                "session.someInPlace", zip(verdict.response.optionIDs, right).count { $0 == $1 })
        case .numericEntry:
            return words.text(
                "session.notQuiteItIs", ["answer": verdict.grade.correctNumber?.text ?? ""])
        }
    }
}
