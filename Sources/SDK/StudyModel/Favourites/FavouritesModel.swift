public import Observation
public import Underway

/// The saved questions, by subject.
public struct FavouritesScreen: Sendable, Hashable {
    /// A saved question.
    public struct Row: Sendable, Hashable, Identifiable {
        /// The question's id.
        public var id: String
        /// The question; `nil` when the installed content no longer has it.
        public var question: Question?
    }

    /// The saved questions of a subject.
    public struct Group: Sendable, Hashable, Identifiable {
        /// The language or exam.
        public var subject: Subject
        /// The questions, in the author's order; removed ones come last.
        public var rows: [Row]
        /// The number of questions that a session can ask.
        public var askedCount: Int

        /// The subject's id.
        public var id: String { subject.id }
    }

    /// The subjects, by title.
    public var groups: [Group]
}

/// The model of the saved questions.
@MainActor @Observable
public final class FavouritesModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: FavouritesScreen?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads the saved questions.
    public func load() async {
        do {
            screen = try await read()
            problem = nil
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Removes a question from the saved ones.
    ///
    /// - Returns: The removed record, for ``restore(_:id:)``; `nil` when nothing was removed.
    @discardableResult
    public func remove(id: String) async -> Favourite? {
        do {
            let favourite = try await services.userData.perform {
                try $0.record(Favourite.self, id: id)
            }
            if favourite != nil {
                try await services.change { try $0.delete(Favourite.self, id: id, now: $1) }
            }
            await load()
            return favourite
        } catch {
            problem = StudyProblem(error)
            return nil
        }
    }

    /// Saves a removed question again.
    public func restore(_ favourite: Favourite, id: String) async {
        do {
            try await services.change { try $0.put(favourite, id: id, now: $1) }
            await load()
        } catch {
            problem = StudyProblem(error)
        }
    }

    /// Begins a session of the saved questions of a subject, or continues the open one with the same questions.
    ///
    /// - Returns: The session's id; `nil` if it could not begin, see ``problem``.
    public func study(_ bank: QuestionFilter.Bank, ratesAnswers: Bool = false) async -> String? {
        do {
            let id = try await FavouritesStart(services).begin(bank, ratesAnswers: ratesAnswers)
            problem = nil
            return id
        } catch {
            problem = StudyProblem(error)
            return nil
        }
    }

    private func read() async throws -> FavouritesScreen {
        let saved = try await services.userData.perform { try $0.records(Favourite.self) }
        let byBank = Dictionary(grouping: saved, by: \.value.bank)
        var groups: [FavouritesScreen.Group] = []
        for (name, records) in byBank {
            guard let bank = QuestionFilter.Bank(name: name) else { continue }
            groups.append(await group(bank, records.map(\.id)))
        }
        groups.sort { ($0.subject.title, $0.id) < ($1.subject.title, $1.id) }
        return FavouritesScreen(groups: groups)
    }

    private func group(
        _ bank: QuestionFilter.Bank, _ ids: [String]
    ) async -> FavouritesScreen.Group {
        // Questions of a bank that is not here stay saved; their rows say that they are gone.
        let blueprint = try? await services.content.perform { try $0.blueprint(bank).value }
        let wanted = Set(ids)
        let found = (blueprint?.questions ?? []).filter { wanted.contains($0.id) }
        let missing = wanted.subtracting(found.map(\.id)).sorted()
        let subject: Subject =
            switch (blueprint, bank) {
            case (let blueprint?, _): Subject(blueprint, of: bank)
            case (nil, .placement(let language)): Subject(language: language)
            case (nil, .exam): Subject(bank: bank, title: bank.name)
            }
        return FavouritesScreen.Group(
            subject: subject,
            rows: found.map { .init(id: $0.id, question: $0) }
                + missing.map { .init(id: $0, question: nil) },
            askedCount: found.count { !$0.isRetired })
    }
}
