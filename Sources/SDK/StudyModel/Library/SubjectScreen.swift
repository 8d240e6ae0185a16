public import Foundation
public import Underway

/// One subject with its counts and its open sessions.
public struct SubjectScreen: Sendable, Hashable {
    /// The language or exam.
    public var subject: Subject
    /// The freshness of its questions.
    public var freshness: ContentFreshness
    /// The number of questions.
    public var questionCount: Int
    /// The number of questions that the learner has answered.
    public var seenCount: Int
    /// The number of questions that a study session would ask now.
    public var dueCount: Int
    /// The time that a study session would take at the learner's pace, in seconds.
    public var studySeconds: Double
    /// The maximum number of new questions a day.
    public var newPerDay = LearningSettings.standard.newPerDay
    /// The reviews that hold new questions back today; `nil` if none do.
    public var backlog: DailyAllowance.Backlog?
    /// The ids of interrupted sessions, by their purpose.
    public var openSessions: [SessionMode: String]
    /// The result of the last placement test that ran to its end.
    public var placement: PlacementOutcome?
    /// The time at which that test began.
    public var placedAt: Date?
    /// True when a placement test was ended without a level and none with one exists.
    public var wasPlacementSkipped: Bool
    /// The maximum number of questions of a placement test.
    public var placementQuestionCount: Int
    /// The maximum time of a placement test at the usual pace, in seconds.
    public var placementSeconds: TimeInterval
    /// The number of questions of a simulated exam.
    public var examQuestionCount: Int
    /// The time of a simulated exam, in seconds.
    public var examSeconds: TimeInterval
    /// The fraction of the questions that passes; `nil` without a pass mark.
    public var passFraction: Double?
    /// The date of a booked exam.
    public var examDate: ExamDate?
    /// The bytes of its audio or images; `nil` when it has none.
    public var fileBytes: Int?
    /// The number of these files.
    public var fileCount: Int
    /// The number of these files on this device.
    public var fetchedFileCount: Int

    /// True when the questions place a learner on a scale of levels.
    public var hasPlacement: Bool
    /// The topics of which the learner lately answered too few questions right, the weakest first.
    public var weakTopics: [WeakTopic]
    /// The newest sessions, at most ``SessionListScreen/newestCount``, and the number of all.
    public var sessions: SessionListScreen
    /// The time of the screen.
    public var now: Date

    /// True for a learner who has not answered a question of the subject and has no session of it.
    public var isNew: Bool { seenCount == 0 && sessions.count == 0 }

    /// Returns the sentence about the new questions of a day; `nil` when no question is new.
    public func newLimit(_ words: StudyText) -> String? {
        seenCount < questionCount
            ? words.count("subject.newLimit", newPerDay) : nil
    }
}
