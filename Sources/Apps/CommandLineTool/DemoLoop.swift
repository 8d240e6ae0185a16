import Accounts
import ContentModel
import Foundation
import Ledger
import OfflineStorage
import Publishing
import QuestionEngine
import Review
import ServerApplication
import SyncClient
import Tables
import UserData
import Workflows

/// The scene of the whole loop: a class answers a bank in which a key is wrong, the answers say so, an author confirms, and
/// who answered is graded again.
struct DemoLoop {
    /// The number of learners.
    private static let learnerCount = 80
    /// The place of the question whose key the demo makes wrong, among those with a single right option.
    private static let place = 6

    let story: DemoStory
    let language: String
    let server: String

    private var bank: QuestionFilter.Bank { .placement(language: language) }

    /// Plays the scene.
    ///
    /// - Throws: An error of any of its steps, also when the wrong key is not found or another one is.
    func play(sync: () async throws -> Void) async throws {
        let (question, right) = try await plant()
        try await sync()
        let (learner, answered) = try await classAnswers(question.id, right: right)
        let users = try await UserBackend.reader(
            .ofServer(
                path: story.root.appending(path: "users/\(UserServiceOptions.databaseName)").path))
        let proposal = try await found(users, since: answered)
        guard proposal.question == question.id, proposal.proposed() == right else {
            throw SyncError(.serverError, "The answers point at \(proposal.question).")
        }
        let clock = ContinuousClock.now
        let release = try await fix(proposal, users)
        try await sync()
        let results = try learner.applyCorrections(of: story.store)
        guard let result = results.first else {
            throw SyncError(.serverError, "Nobody was graded again.")
        }
        Console.say(
            Console.styled(
                "release \(release) is on the device \(Self.milliseconds(since: clock)) ms after the"
                    + " confirmation", .green))
        Console.say(
            Console.styled(
                "a question was corrected: your result is now \(result.correctCount) of"
                    + " \(result.questionCount). It was \(result.formerCorrectCount).", .green))
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
        Int((ContinuousClock.now - start) / .milliseconds(1))
    }

    /// Publishes a wrong key in place of the sample's.
    ///
    /// - Returns: The question as it is published, and its right key.
    private func plant() async throws -> (Question, String) {
        let bank = try story.store.blueprint(bank).value
        let single = bank.questions.filter { $0.type == .singleChoice && $0.options.count > 2 }
        guard single.indices.contains(Self.place) else {
            throw SyncError(.storage, "The sample has too few single-choice questions.")
        }
        let question = single[Self.place]
        let spoiled = try DemoStory.spoil(question, of: language, in: story.content)
        _ = try await story.publish()
        Console.say("(The demo makes the key of \(question.id) wrong, and publishes that.)")
        return (spoiled, question.keyLabel)
    }

    /// Lets a class answer on devices of their own, and send what they answered.
    ///
    /// - Parameters:
    ///   - id: The question whose key is wrong.
    ///   - right: Its right key.
    /// - Returns: The device of one of them, and the moment of the last answer.
    /// - Throws: An error of a device or of the server.
    private func classAnswers(
        _ id: String, right: String
    ) async throws -> (UserStore, ContinuousClock.Instant) {
        let asked = try story.store.blueprint(bank).value.questions
            .filter { $0.type == .singleChoice }
        let known = Dictionary(
            uniqueKeysWithValues: asked.map { ($0.id, $0.id == id ? [right] : $0.correctOptionIDs) }
        )
        let transport = HTTPTransport()
        defer { transport.close() }
        var chance = SplitMix(seed: 18)
        var first: UserStore?
        for number in 0..<Self.learnerCount {
            let ability = number == 0 ? 1 : Double(chance.next() % 1000) / 1000
            let store = try UserStore.inMemory()
            try choose(asked, known, ability, store, &chance)
            try await send(store, transport, number)
            first = first ?? store
        }
        guard let first else { throw SyncError(.storage, "There is no class.") }
        Console.say(
            "\(Self.learnerCount) learners, who agreed that their answers are looked at, answer"
                + " \(asked.count) questions each")
        return (first, .now)
    }

    /// Answers all questions as a learner of some ability, who agrees to the analysis.
    private func choose(
        _ questions: [Question], _ known: [String: [String]], _ ability: Double,
        _ store: UserStore, _ chance: inout SplitMix
    ) throws {
        try store.put(ConsentRecord(isGiven: true), id: Consent.answerAnalysis.rawValue)
        var session = StudySession(
            id: UUID().uuidString.lowercased(), mode: .study,
            entries: questions.map { .init($0, exposuresBefore: 0) }, now: Date(), using: &chance)
        for question in questions {
            let right = known[question.id] ?? []
            let others = question.options.map(\.id).filter { !right.contains($0) }
            let knows = Double(chance.next() % 1000) / 1000 < 0.3 + 0.7 * ability
            let guess = others.isEmpty ? right : [others[Int(chance.next() % UInt64(others.count))]]
            try session.answer(.options(knows ? right : guess), to: question, now: Date())
        }
        session.finish(now: Date())
        try store.save(session, of: bank, now: Date())
    }

    private func send(_ store: UserStore, _ transport: HTTPTransport, _ number: Int) async throws {
        let account = Account(
            store: store,
            secrets: try FileSecretStore(folder: story.root.appending(path: "class/\(number)")),
            transport: transport, serverURL: try URL(address: server))
        let report = await UserDataSync(
            store: store, account: account, transport: transport,
            serverURL: try URL(address: server)
        ).sync()
        if let problem = report.problem { throw SyncError(.serverError, problem) }
    }

    /// Reviews the keys at once, as the server does automatically within a minute.
    private func found(
        _ users: UserBackend, since answered: ContinuousClock.Instant
    ) async throws -> Proposal {
        guard let review = users.review else {
            throw SyncError(.storage, "The server reviews no keys.")
        }
        let reviewer = KeyReviewer(review)
        _ = try await reviewer.follow(ReviewedRelease(directory: story.release.path))
        _ = try await reviewer.run(.always)
        let open = try await review.proposals(in: [.open], limit: 10)
            .filter { $0.evidence.outcome == "act" }.sorted { $0.precedes($1) }
        guard let proposal = open.first else {
            throw SyncError(.serverError, "The answers did not show the wrong key.")
        }
        Console.say("underway proposals list   (\(Self.milliseconds(since: answered)) ms later)")
        for one in open { Console.say("  " + ProposalText.line(one)) }
        return proposal
    }

    /// Confirms, and publishes the fix.
    private func fix(_ proposal: Proposal, _ users: UserBackend) async throws -> Int {
        var place = Workplace(
            content: story.content.path, release: story.release.path, users: users)
        place.commits = false
        let outcome = try await KeyConfirmation(proposal.number, ships: .alone)
            .run(in: place, by: Operator.actor)
        Console.say("underway proposals confirm \(proposal.number) --publish")
        return outcome.summary?.release ?? 0
    }
}

/// Chance by a seed (SplitMix64), so that the class is the same in each demo.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The limits of the demo's own server: a class of eighty makes its accounts from one address.
struct DemoRateLimits: RateLimiting {
    func consume(_ limit: RateLimit, of name: String, cost: Int, now: Int64) async -> Int? { nil }
    func begin(_ limit: FailureLimit, of name: String, now: Int64) async -> Int? { nil }
    func withdraw(_ limit: FailureLimit, of name: String) async {}
}
