public import Observation
public import Underway

/// The model of the questions of a subject, to search and to open.
@MainActor @Observable
public final class QuestionListModel {
    /// The screen; `nil` before the first ``load(_:)``.
    public private(set) var screen: QuestionListScreen?
    /// The reason why the screen could not be loaded; `nil` after a success.
    public private(set) var problem: StudyProblem?

    /// The bank of the subject.
    public nonisolated let bank: QuestionFilter.Bank
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of a bank.
    public init(_ services: StudyServices, bank: QuestionFilter.Bank) {
        self.services = services
        self.bank = bank
    }

    /// Loads a page of ``QuestionListScreen/pageSize`` questions; one beyond the last becomes the last.
    ///
    /// Of the learner's data it reads what belongs to the questions of the page; a filter also reads the ids that it
    /// selects.
    public func load(_ query: QuestionQuery = QuestionQuery()) async {
        do {
            screen = try await read(query)
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    private func read(_ query: QuestionQuery) async throws -> QuestionListScreen {
        let found = try await services.content.perform { [bank] in try $0.blueprint(bank) }
        let selected = try await selected(query.filter)
        let questions = await Self.matches(
            found, bank, query, selected: selected, in: services.questionTexts)
        let page = PageNumber(
            query.page, itemCount: questions.count, pageSize: QuestionListScreen.pageSize)
        let shown = questions.dropFirst(page.offset).prefix(QuestionListScreen.pageSize)
        return QuestionListScreen(
            subject: Subject(found.value, of: bank), query: query,
            rows: try await rows(shown.map { found.value.questions[$0] }),
            count: questions.count, page: page)
    }

    /// Returns the ids that a filter selects; `nil` for all.
    private func selected(_ filter: QuestionQuery.Filter) async throws -> Set<String>? {
        switch filter {
        case .all: return nil
        case .missed:
            return try await services.userData.perform { [bank] in
                try $0.missedQuestions(of: bank)
            }
        case .aside:
            return try await services.userData.perform { [bank] in
                Set(try $0.setAsideQuestions(of: bank).map(\.question))
            }
        case .saved, .noted:
            let saved = try await services.userData.perform { try $0.records(Favourite.self) }
            return Set(
                saved.filter { saved in
                    saved.value.bank == bank.name
                        && (filter == .saved || QuestionNote.text(of: saved.value) != nil)
                }.map(\.id))
        }
    }

    /// Returns the indices of the found questions, outside the main actor: a bank may have thousands.
    @concurrent private nonisolated static func matches(
        _ found: Fresh<Blueprint>, _ bank: QuestionFilter.Bank, _ query: QuestionQuery,
        selected: Set<String>?, in cache: QuestionTextCache
    ) async -> [Int] {
        let questions = found.value.questions
        let showsRetired = [.saved, .noted].contains(query.filter)
        let indices =
            query.search.isEmpty
            ? Array(questions.indices)
            : cache.texts(of: found, bank).indices(of: query.search)
        return indices.filter { index in
            (showsRetired || !questions[index].isRetired)
                && (selected?.contains(questions[index].id) ?? true)
        }
    }

    private func rows(_ questions: [Question]) async throws -> [QuestionListScreen.Row] {
        let ids = questions.map(\.id)
        let (answered, saved, aside) = try await services.userData.perform { [bank] store in
            (
                try store.answered(ids, in: bank),
                try ids.map { try store.record(Favourite.self, id: $0) },
                try ids.map { try store.setAsideQuestion($0, of: bank) != nil }
            )
        }
        let results = Dictionary(
            answered.map { ($0.id, $0.isLastRight) }, uniquingKeysWith: { first, _ in first })
        return zip(zip(questions, saved), aside).map { place, isAside in
            let (question, saved) = place
            let own = saved?.bank == bank.name ? saved : nil
            return QuestionListScreen.Row(
                question: question, isLastRight: results[question.id], isSaved: own != nil,
                note: own.flatMap(QuestionNote.text), isAside: isAside)
        }
    }
}
