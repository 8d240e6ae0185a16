public import Foundation
import Underway

/// Something to study although nothing is due; its answers are ordinary ones.
public struct StudyOffer: Sendable, Hashable, Identifiable {
    /// The kind of an offer.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The questions that were answered wrongly within ``StudyOffer/missedDays`` and not right today since, the
        /// newest first.
        case missed
        /// More new questions than the day's limit.
        case more
        /// The questions that are due tomorrow, or today beyond the day's limit, and were not asked today.
        case tomorrow
    }

    /// The number of days, with today, whose wrong answers are practised.
    public static let missedDays = 7
    /// The maximum number of new questions of one offer.
    public static let moreMax = 10

    /// The language or exam.
    public var subject: Subject
    /// The kind.
    public var kind: Kind
    /// The number of questions.
    public var count: Int
    /// The time in seconds for them, at the learner's pace.
    public var seconds: TimeInterval
    /// True for an offer with questions that are due today, and that the day's limit holds back.
    public var isBeyondLimit: Bool

    /// The id, unique on the first screen.
    public var id: String { "\(kind.rawValue) \(subject.id)" }

    /// Creates an offer.
    public init(
        _ kind: Kind, of subject: Subject, count: Int, seconds: TimeInterval,
        isBeyondLimit: Bool = false
    ) {
        (self.kind, self.subject, self.count, self.seconds) = (kind, subject, count, seconds)
        self.isBeyondLimit = isBeyondLimit
    }

    /// Returns the title of the button: "Practise 12 missed".
    public func title(_ formats: StudyFormats) -> String {
        formats.words.count("today.offer.\(isBeyondLimit ? "limited" : kind.rawValue)", count)
    }

    /// Returns the subject and the time that it takes: "Swift · about 4 minutes".
    public func details(_ formats: StudyFormats) -> String {
        "\(subject.title) · \(formats.about(.seconds(seconds)))"
    }
}

extension [StudyOffer] {
    /// The offers to show: of each kind the one with the most questions, in the order of the kinds.
    var best: [StudyOffer] {
        StudyOffer.Kind.allCases.compactMap { kind in
            filter { $0.kind == kind && $0.count > 0 }
                .max { ($0.count, $1.subject.title) < ($1.count, $0.subject.title) }
        }
    }
}
