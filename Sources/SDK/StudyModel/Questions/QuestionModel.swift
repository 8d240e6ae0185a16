public import Observation
public import Underway

/// The model of one question outside of a session, with the learner's note.
@MainActor @Observable
public final class QuestionModel {
    /// The screen; `nil` before the first ``load()``.
    public private(set) var screen: QuestionScreen?
    /// The reason why the last step failed; `nil` after a success.
    public private(set) var problem: StudyProblem?

    /// The bank of the question.
    public nonisolated let bank: QuestionFilter.Bank
    /// The question's id.
    public nonisolated let id: String
    @ObservationIgnored private let services: StudyServices

    /// Creates the model of a question.
    public init(_ services: StudyServices, id: String, of bank: QuestionFilter.Bank) {
        self.services = services
        self.id = id
        self.bank = bank
    }

    /// Loads the question; one that the content does not have is a problem `notFound`.
    public func load() async {
        do {
            screen = try await read()
            problem = nil
        } catch {
            screen = nil
            problem = StudyProblem(error)
        }
    }

    /// Returns the bytes of a picture of the question; `nil` for one that is not on the device or too large.
    public func picture(_ name: String) async -> [UInt8]? {
        guard let checksum = screen?.images[name] else { return nil }
        return await QuestionFiles(services).bytes(checksum)
    }

    /// Returns the bytes of the question's clip; `nil` for one that is not on the device or too large.
    public func clip() async -> [UInt8]? {
        guard let clip = screen?.clip else { return nil }
        return await QuestionFiles(services).bytes(clip.checksum)
    }

    private func read() async throws -> QuestionScreen {
        let blueprint = try await services.content.perform { [bank] in
            try $0.blueprint(bank).value
        }
        guard let question = blueprint.questions.first(where: { $0.id == id }) else {
            throw StudyProblem(.notFound)
        }
        let (answered, saved, open, aside) = try await services.userData.perform {
            [id, bank] store in
            (
                try store.answered([id], in: bank).first,
                try store.record(Favourite.self, id: id), try store.openSessions(),
                try store.setAsideQuestion(id, of: bank)
            )
        }
        let secret = secret(isAnswered: answered != nil, open)
        let files = QuestionFiles(services)
        let images = try await files.images(of: question, in: bank)
        let own = saved?.bank == bank.name ? saved : nil
        return QuestionScreen(
            subject: Subject(blueprint, of: bank), question: question,
            options: Self.options(of: question, isShown: secret == nil),
            domain: blueprint.domains.first { $0.id == question.domain }?.title,
            level: blueprint.levels[question.difficulty], secret: secret,
            isLastRight: answered?.isLastRight, isSaved: own != nil,
            note: own.flatMap(QuestionNote.text), setAside: aside,
            images: images, pictureSizes: await files.sizes(images),
            clip: try await files.clip(of: question, in: bank))
    }

    private func secret(isAnswered: Bool, _ open: [SavedSession]) -> QuestionScreen.Secret? {
        let isAsked = open.contains { saved in
            saved.bank == bank && saved.session.mode != .study
                && saved.session.items.contains { $0.questionID == id }
        }
        return isAsked ? .asked : isAnswered ? nil : .unanswered
    }

    /// Returns the options in an order that is the same at each visit; an author may write the right one first.
    private static func options(of question: Question, isShown: Bool) -> [QuestionOption] {
        if isShown, question.type == .ordering {
            let byID = Dictionary(
                question.options.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            return question.correctOptionIDs.compactMap { byID[$0] }
        }
        var hash = FNVHash()
        hash.mix(question.id)
        var random = SeededRandom(seed: hash.value)
        return question.optionsInRandomOrder(using: &random)
    }
}
