public import Foundation
public import Observation
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
    /// The maximum number of new questions a day.
    public var newPerDay = LearningSettings.standard.newPerDay
    /// The reviews that hold new questions back today; `nil` if none do.
    public var backlog: DailyAllowance.Backlog?
    /// The ids of interrupted sessions, by their purpose.
    public var openSessions: [SessionMode: String]
    /// The result of the last placement test that ran to its end.
    public var placement: PlacementOutcome?
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

    /// Returns the sentence about the new questions of a day; `nil` when no question is new.
    public func newLimit(_ words: StudyText) -> String? {
        seenCount < questionCount
            ? words.count("subject.newLimit", newPerDay) : nil
    }
}

/// The model of one subject.
@MainActor @Observable
public final class SubjectModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: SubjectScreen?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?

    /// The bank of the subject.
    public nonisolated let bank: QuestionFilter.Bank
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of a bank.
    public init(_ services: StudyServices, bank: QuestionFilter.Bank) {
        self.services = services
        self.bank = bank
    }

    /// Loads the subject.
    public func load() async {
        do {
            screen = try await read()
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Begins a session, or continues the open one.
    ///
    /// - Returns: The session's id; `nil` if it could not begin, see ``problem``.
    public func begin(
        _ mode: SessionMode, ratesAnswers: Bool = false, wishes: SessionWishes = SessionWishes()
    ) async -> String? {
        do {
            let id = try await SessionStart(services).begin(
                bank, mode, ratesAnswers: ratesAnswers, wishes: wishes)
            problem = nil
            return id
        } catch {
            problem = StudyProblem(error)
            return nil
        }
    }

    private func read() async throws -> SubjectScreen {
        let found = try await services.content.perform { [bank] in try $0.blueprint(bank) }
        let blueprint = found.value
        let manifest = try await services.content.perform { try $0.manifest().value }
        let files = manifest.files(of: bank)
        let now = services.clock()
        let fetched = try await services.content.perform { content in
            try (files?.files ?? []).count { try content.lazyFile($0.checksum, now: now) != nil }
        }
        let plan = try await SessionStart(services).plan(bank, blueprint, .study)
        let asked = blueprint.questions.filter { !$0.isRetired }
        let learning = try await services.learning(of: bank)
        let studied = learning.studied
        let course =
            blueprint.kind == .placement ? try PlacementCourse(blueprint, answers: []) : nil
        let examCount = min(asked.count, SessionStart.examQuestionsMax)
        return SubjectScreen(
            subject: Subject(blueprint, of: bank), freshness: found.freshness,
            questionCount: asked.count, seenCount: asked.count { studied[$0.id] != nil },
            dueCount: plan.entries.count, newPerDay: learning.settings.newPerDay,
            backlog: plan.backlog, openSessions: try await openSessions(),
            placement: try await placement(blueprint),
            placementQuestionCount: course?.questionsMax ?? 0,
            placementSeconds: Double(course?.questionsMax ?? 0) * TodayLoader.secondsPerQuestion,
            examQuestionCount: examCount,
            examSeconds: Double(examCount) * SessionStart.examSecondsPerQuestion,
            passFraction: blueprint.scoring.passFraction, examDate: try await examDate(),
            fileBytes: files.map { $0.files.reduce(0) { $0 + ($1.size ?? 0) } },
            fileCount: files?.files.count ?? 0, fetchedFileCount: fetched,
            hasPlacement: blueprint.kind == .placement)
    }

    private func placement(_ blueprint: Blueprint) async throws -> PlacementOutcome? {
        let finished = try await services.userData.perform { try $0.finishedSessions(limit: 100) }
        for saved in finished where saved.bank == bank && saved.session.mode == .placement {
            let outcome = try PlacementOutcome(
                saved.session, blueprint, regraded: saved.regraded)
            if outcome.level != nil { return outcome }
        }
        return nil
    }

    private func openSessions() async throws -> [SessionMode: String] {
        let own = try await services.userData.perform { try $0.openSessions() }
            .filter { $0.bank == bank }
        return Dictionary(
            own.map { ($0.session.mode, $0.id) }, uniquingKeysWith: { newest, _ in newest })
    }

    private func examDate() async throws -> ExamDate? {
        return try await services.userData.perform { try $0.records(Reservation.self) }.map(\.value)
            .filter { $0.exam == bank.name && $0.isComing }
            .map(\.date)
            .filter { $0.day.map { $0 >= services.today } ?? false }
            .min()
    }
}

extension Manifest {
    /// Returns the audio of a language, or the images of an exam.
    func files(of bank: QuestionFilter.Bank) -> FileList? {
        switch bank {
        case .placement(let language): languages[language]?.audio
        case .exam: exams[bank.name]?.media
        }
    }
}

extension SubjectScreen {
    /// Returns the length of a simulated exam, and its pass mark, if any.
    ///
    /// - Parameter formats: The words of a language.
    /// - Returns: Such as "30 questions, about 30 minutes. You pass with 60 %."
    public func simulationSentence(_ formats: StudyFormats) -> String {
        var named = ["duration": formats.about(.seconds(examSeconds))]
        guard let passFraction else {
            return formats.words.count("subject.simulateLength", examQuestionCount, named)
        }
        named["pass"] = formats.percent(passFraction)
        return formats.words.count("subject.simulateHint", examQuestionCount, named)
    }
}
