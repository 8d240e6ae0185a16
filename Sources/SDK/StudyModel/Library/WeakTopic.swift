public import Foundation
import Underway

/// A topic of which the learner lately answered too few questions right.
public struct WeakTopic: Sendable, Hashable, Identifiable {
    /// The maximum number of topics in a list.
    public static let countMax = 5
    /// The time over which answers count, in seconds: 30 days.
    public static let span: TimeInterval = 30 * 24 * 60 * 60
    /// The minimum number of answers; fewer say nothing.
    static let answersMin = 5
    /// The share of right answers from which a topic is not weak.
    static let shareEnough = 0.8

    /// The topic.
    public var topic: QuestionTopic
    /// The title: the domain's, or the tag.
    public var title: String
    /// The number of right answers in the span.
    public var correctCount: Int
    /// The number of answers in the span.
    public var answerCount: Int

    /// The name of the topic.
    public var id: String { topic.name }

    /// Returns the weak topics of a bank, the surest weakness first.
    ///
    /// Topics are ordered by the upper end of the 95 % interval of their share, so that many answers count for more:
    ///
    /// | right of answers | share | upper end | weak |
    /// |---|---|---|---|
    /// | 0 of 4 | 0 % | – | no: too few answers |
    /// | 4 of 11 | 36 % | 65 % | yes |
    /// | 40 of 60 | 67 % | 77 % | yes |
    /// | 3 of 5 | 60 % | 88 % | yes |
    /// | 8 of 10 | 80 % | 94 % | no |
    ///
    /// Retired questions and topics without a title are left out.
    /// - Parameters:
    ///   - blueprint: The bank.
    ///   - results: The answers within ``span``, by question.
    /// - Returns: At most ``countMax`` topics.
    static func all(in blueprint: Blueprint, _ results: [QuestionResults]) -> [WeakTopic] {
        let byID = Dictionary(results.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var sums: [QuestionTopic: (correct: Int, answers: Int)] = [:]
        for question in blueprint.questions where !question.isRetired {
            guard let result = byID[question.id] else { continue }
            for topic in blueprint.topics(of: question) {
                sums[topic, default: (0, 0)].correct += result.correctCount
                sums[topic, default: (0, 0)].answers += result.answerCount
            }
        }
        let weak = sums.compactMap { topic, sum -> WeakTopic? in
            guard sum.answers >= answersMin, let title = blueprint.title(of: topic),
                Double(sum.correct) < shareEnough * Double(sum.answers)
            else { return nil }
            return WeakTopic(
                topic: topic, title: title, correctCount: sum.correct, answerCount: sum.answers)
        }
        return Array(weak.sorted { $0.rank < $1.rank }.prefix(countMax))
    }

    private var rank: (Double, String) {
        (WilsonInterval(correctCount, of: answerCount).high, id)
    }

    /// Returns the topic with its share: "Variables: 4 of 11, last 30 days".
    public func sentence(_ formats: StudyFormats) -> String {
        formats.words.text(
            "subject.weakTopic",
            [
                "topic": title, "right": formats.number(correctCount),
                "total": formats.number(answerCount),
            ])
    }
}
