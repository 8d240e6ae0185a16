/// The state of a question with regard to the learner's reports.
public enum Reporting: Sendable, Hashable {
    /// Reports are not possible: the device has no server, or the question is still open.
    case unavailable
    /// The learner has not reported the question.
    case open
    /// The learner has reported the question.
    case reported

    /// The key of the link's title; `nil` without a link.
    public var key: String? {
        switch self {
        case .unavailable: nil
        case .open: "session.report"
        case .reported: "report.said"
        }
    }
}
