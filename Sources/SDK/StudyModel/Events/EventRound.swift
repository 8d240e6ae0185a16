public import Foundation
public import Underway

/// A round of a live event: a simulated exam that the learner began and ended during the event.
///
/// An exam's answers cannot be undone, so its points stay right.
public struct EventRound: Sendable, Hashable, Identifiable {
    /// The session's id, which is the submission's too, so that the server counts it once.
    public var id: String
    /// The time at which it began.
    public var startedAt: Date
    /// The number of right answers.
    public var correctCount: Int
    /// The number of questions.
    public var questionCount: Int
    /// The points: the share of right answers of the event's maximum, rounded down.
    public var points: Int
    /// True when the server confirmed that it counts.
    public var isCounted: Bool

    /// Creates the round of a session; `nil` for one that is none of the event's.
    ///
    /// Grades are those of the time of the answer: points stay as submitted if a key is corrected later.
    init?(_ saved: SavedSession, of event: LiveEvent, counted: Set<String>) {
        let session = saved.session
        guard session.mode == .exam, session.state == .finished, saved.bank.name == event.bank,
            event.state(at: session.startedAt) == .running
        else { return nil }
        let total = SessionResult(session).total
        guard total.questionCount > 0 else { return nil }
        (id, startedAt) = (saved.id, session.startedAt)
        (correctCount, questionCount) = (total.correctCount, total.questionCount)
        points = event.pointsMax * total.correctCount / total.questionCount
        isCounted = counted.contains(Self.key(saved.id, of: event.id))
    }

    /// Returns the entry of a round in ``StudySettings/countedRounds``.
    static func key(_ session: String, of event: String) -> String { "\(event)/\(session)" }
}

/// The end of the attempt to submit a round.
public enum RoundOutcome: Sendable, Hashable {
    /// The server counted these points.
    case counted(Int, EventReceipt)
    /// The server rejected the round, or had counted it before.
    case refused(EventReceipt)
    /// The server did not confirm it; another attempt cannot count it twice.
    case notConfirmed(StandingsObstacle)
    /// The device has no such round.
    case missing

    /// Returns the sentences about the attempt.
    public func sentence(_ formats: StudyFormats) -> String {
        let words = formats.words
        switch self {
        case .counted(let points, let receipt):
            return words.text("event.counted", ["points": formats.number(points)])
                + Self.place(receipt, formats)
        case .refused(let receipt): return words[receipt.result.key] + Self.place(receipt, formats)
        case .notConfirmed(let obstacle):
            return words[obstacle == .missing ? "event.missing" : obstacle.key] + " "
                + words["event.notConfirmed"]
        case .missing: return words["session.missing"]
        }
    }

    /// True if the server counts the round.
    public var isCounted: Bool {
        switch self {
        case .counted: true
        case .refused(let receipt): receipt.result == .duplicate
        default: false
        }
    }

    private static func place(_ receipt: EventReceipt, _ formats: StudyFormats) -> String {
        guard let rank = receipt.rank else { return "" }
        return " "
            + BoardEntry(rank: rank, score: receipt.score, reachedAt: .distantPast).sentence(
                formats)
    }
}

extension EventReceipt.Result {
    /// The key of the sentence about the verdict.
    var key: String {
        switch self {
        case .counted: "event.counted"
        case .duplicate: "event.duplicate"
        case .early: "event.early"
        case .late: "event.late"
        case .tooMany: "event.tooMany"
        }
    }
}
