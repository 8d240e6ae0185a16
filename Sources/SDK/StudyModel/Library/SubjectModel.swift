import Foundation
public import Observation
public import Underway

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

    /// Begins a session of a topic, due or not, or continues the open one of that topic.
    ///
    /// - Returns: The session's id; `nil` if it could not begin, see ``problem``.
    public func begin(_ topic: QuestionTopic, ratesAnswers: Bool = false) async -> String? {
        do {
            let id = try await ChosenQuestionsStart(services).begin(
                topic, of: bank, ratesAnswers: ratesAnswers)
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
        let placed = blueprint.kind == .placement ? try await placement(blueprint) : nil
        return SubjectScreen(
            subject: Subject(blueprint, of: bank), freshness: found.freshness,
            questionCount: asked.count, seenCount: asked.count { studied[$0.id] != nil },
            dueCount: plan.entries.count,
            studySeconds: try await Double(plan.entries.count) * TodayLoader(services).pace(),
            newPerDay: learning.settings.newPerDay,
            backlog: plan.backlog, openSessions: try await openSessions(),
            placement: placed?.outcome, placedAt: placed?.date,
            wasPlacementSkipped: placed?.wasSkipped ?? false,
            placementQuestionCount: course?.questionsMax ?? 0,
            placementSeconds: Double(course?.questionsMax ?? 0) * TodayLoader.secondsPerQuestion,
            examQuestionCount: examCount,
            examSeconds: Double(examCount) * SessionStart.examSecondsPerQuestion,
            passFraction: blueprint.scoring.passFraction, examDate: try await examDate(),
            fileBytes: files.map { $0.files.reduce(0) { $0 + ($1.size ?? 0) } },
            fileCount: files?.files.count ?? 0, fetchedFileCount: fetched,
            hasPlacement: blueprint.kind == .placement,
            weakTopics: try await weakTopics(blueprint),
            sessions: try await services.sessions(
                of: bank, blueprint, page: 1, pageSize: SessionListScreen.newestCount),
            now: now)
    }

    private func weakTopics(_ blueprint: Blueprint) async throws -> [WeakTopic] {
        let start = services.clock().addingTimeInterval(-WeakTopic.span)
        let results = try await services.userData.perform { [bank] in
            try $0.results(of: bank, since: start)
        }
        return WeakTopic.all(in: blueprint, results)
    }

    /// The last placement test with a level, or the fact that there are only ones without.
    private struct Placed {
        var outcome: PlacementOutcome?
        var date: Date?
        var wasSkipped: Bool
    }

    private func placement(_ blueprint: Blueprint) async throws -> Placed {
        let finished = try await services.userData.perform {
            try $0.finishedSessions(limit: UserStore.finishedSessionsMax)
        }
        let tests = finished.filter { $0.bank == bank && $0.session.mode == .placement }
        var wasSkipped = false
        for saved in tests {
            let outcome = try PlacementOutcome(
                saved.session, blueprint, regraded: saved.regraded)
            // A bank without levels gives none, however many answers there are.
            wasSkipped = wasSkipped || !outcome.scale.isEmpty
            guard outcome.level != nil else { continue }
            return Placed(
                outcome: outcome, date: saved.session.startedAt, wasSkipped: false)
        }
        return Placed(wasSkipped: wasSkipped)
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
