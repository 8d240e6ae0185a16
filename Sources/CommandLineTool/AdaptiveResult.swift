import ContentModel
import QuestionEngine
import StudyModel

/// The result of an adaptive placement test.
struct AdaptiveResult {
    private let course: PlacementCourse
    private let questionCount: Int

    /// Reads the result of a test that is over.
    ///
    /// - Throws: `PlacementError`.
    init(_ test: AdaptivePlacement, of blueprint: Blueprint) throws {
        course = try PlacementCourse(
            blueprint, answers: test.answers.map { ($0.id, $0.isRight) })
        questionCount = test.answers.count
    }

    private var estimate: AbilityEstimate { course.estimate }
    private var levels: AbilityLevels { course.levels }
    /// True when a limit ended the test before its own rules did.
    private var isCutShort: Bool { !course.isOver }
    private var level: String? { isCutShort ? nil : levels.level(of: estimate.ability) }

    /// One line for people.
    var text: String {
        guard !isCutShort else {
            return "\nNo level: the test was cut short after"
                + " \(Console.count(questionCount, "question")) (--limit)."
        }
        return "\nLevel \(level ?? "–"), by an ability of \(Console.decimal(estimate.ability)) ± "
            + "\(Console.decimal(estimate.standardError)); the levels that are possible: "
            + levels.levels(of: estimate).joined(separator: ", ")
    }

    /// The members of the JSON document.
    var members: [String: JSONValue] {
        guard !isCutShort else { return ["cutShort": true] }
        var members: [String: JSONValue] = [
            "ability": .decimal(estimate.ability),
            "standardError": .decimal(estimate.standardError),
            "possibleLevels": .array(levels.levels(of: estimate).map { .string($0) }),
        ]
        members["level"] = level.map { .string($0) }
        return members
    }
}
