/// The purpose of an answer: that of its session, or a repeat within a study session.
///
/// ```swift
/// print(AnswerMode(.study, isRepeat: true).rawValue, AnswerMode(.exam).rawValue)  // repeat exam
/// ```
public enum AnswerMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// An answer of a study session to a question in its first place.
    case study
    /// An answer of a study session to a question that was asked again, or anew after an undo.
    ///
    /// Schedules and days count it; boards and the review of keys do not.
    case `repeat`
    /// An answer of an exam.
    case exam
    /// An answer of a placement test.
    case placement

    /// Creates the mode of an answer in a session; only a study session has repeats.
    public init(_ mode: SessionMode, isRepeat: Bool = false) {
        switch mode {
        case .study: self = isRepeat ? .repeat : .study
        case .exam: self = .exam
        case .placement: self = .placement
        }
    }
}
