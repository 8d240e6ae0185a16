import ContentModel
import QuestionEngine

/// The result of an adaptive placement test.
struct AdaptiveResult {
    private let estimate: AbilityEstimate
    private let levels: AbilityLevels
    private let questionCount: Int
    /// True when a limit ended the test before its own rules did.
    private let isCutShort: Bool

    /// Reads the result of a test that is over.
    init(_ test: AdaptivePlacement, of blueprint: Blueprint) throws {
        estimate = test.estimate
        levels = test.levels
        questionCount = test.answers.count
        var unlimited = AdaptivePlacement(blueprint: blueprint)
        for answer in test.answers { try unlimited.record(answer.id, isRight: answer.isRight) }
        isCutShort = unlimited.stopReason == nil
    }

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
