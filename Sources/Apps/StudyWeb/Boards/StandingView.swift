import StudyModel

/// Why boards or events are not the server's present state, and what the learner can do.
struct StandingView {
    struct Step {
        var href: String
        var title: String
        var isFilled: Bool
    }

    var icon: String
    var sentence: String
    var details: String?
    /// The address of another attempt; `nil` where it would end in the same way.
    var again: String?
    var steps: [Step]
    var hasSteps: Bool

    /// Shows a sentence about an obstacle; `nil` without one.
    init?(_ obstacle: StandingsObstacle?, _ sentence: String?, at path: String, _ words: StudyText)
    {
        guard let obstacle else { return nil }
        icon = obstacle == .offline ? "cloud-off" : "info"
        self.sentence = sentence ?? words[obstacle.key]
        details = obstacle.details
        again = obstacle.isPassing ? path : nil
        steps = obstacle.steps.enumerated().map { index, step in
            Step(href: step.path, title: words[step.titleKey], isFilled: index == 0)
        }
        hasSteps = !steps.isEmpty
    }
}
