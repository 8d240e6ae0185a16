import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import StudyModel

struct StudyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "study",
        abstract: "Learn, or take a test, in the terminal; also offline.",
        discussion: """
            For a language, the command runs its placement test, and chooses each question by your earlier answers. \
            For an exam, it plans reviews by spaced repetition; --mode exam runs a test instead. Each answer is \
            saved at once. Type q to leave; the session continues at the next start, here or in `underway app`.
            """,
        examples: ["underway study es", "underway study int/swift --mode exam"])

    enum Mode: String, ExpressibleByArgument, CaseIterable {
        case study
        case exam
        case placement

        var session: SessionMode { SessionMode(rawValue: rawValue) ?? .study }
    }

    enum Practice: String, ExpressibleByArgument, CaseIterable {
        case missed
        case more
        case tomorrow

        var offer: StudyOffer.Kind { StudyOffer.Kind(rawValue: rawValue) ?? .missed }
    }

    @Argument(help: "A language code such as es, or region/exam.")
    var bank = ""

    @OptionGroup var store: StoreOptions

    @Option(help: "The purpose: study, exam or placement.")
    var mode: Mode?

    @Option(help: "The most questions to ask.")
    var limit: Int?

    @Option(
        name: .customLong("new"),
        help: "The number of new questions per day, when studying. (default: that of your settings)"
    )
    var newCards: Int?

    @Option(help: "Study although nothing is due: missed, more or tomorrow.")
    var practise: Practice?

    @Option(parsing: .upToNextOption, help: "Only these domains.")
    var domain: [String] = []

    @Option(parsing: .upToNextOption, help: "Only these difficulties, 1 to 5.")
    var difficulty: [Int] = []

    @Option(parsing: .upToNextOption, help: "Only questions with one of these tags.")
    var tag: [String] = []

    @OptionGroup var chance: ChanceOptions

    @Option(
        help:
            "The day of an exam, for example 2026-12-24; reviews are planned for the best result on it."
    )
    var deadline: String?

    @Option(
        parsing: .upToNextOption,
        help:
            "Ask no questions; change your settings, such as newPerDay=10 or spreads=false, for this bank or, without one, for all. default removes a setting."
    )
    var set: [String] = []

    @Flag(help: "Ask no questions; fit the intervals to your answers now.")
    var fit = false

    @Flag(help: "End an interrupted session and start a new one instead of continuing it.")
    var fresh = false

    @Flag(
        help:
            "Ask no questions; compare the stored schedules of this bank with a replay of all answers."
    )
    var verifySchedules = false

    @Flag(help: "Open the study app in the browser instead, as `underway app` does.")
    var web = false

    @Flag(help: "Plain lines, no full-screen display (the only kind for now).")
    var plain = false

    @Flag(help: "Print the result as JSON at the end.")
    var json = false

    func validate() throws {
        guard web || fit || !set.isEmpty || !bank.isEmpty else {
            throw ValidationError("Name what to study: a language code such as es, or region/exam.")
        }
        if !set.isEmpty, let option = optionsBesideBank.first ?? (fit ? "--fit" : nil) {
            throw ValidationError("--set asks no questions. Leave \(option) out.")
        }
        if fit, let option = optionsBesideBank.first ?? (bank.isEmpty ? nil : bank) {
            throw ValidationError("--fit is for all banks. Leave \(option) out.")
        }
        guard !web || bank.isEmpty else {
            throw ValidationError(
                "--web opens the whole study app. Leave \(bank) out, and choose it there.")
        }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        if let newCards, newCards < 0 { throw ValidationError("--new must be at least 0.") }
        if !difficulty.allSatisfy((1...5).contains) {
            throw ValidationError("--difficulty takes numbers from 1 to 5.")
        }
        if deadline != nil, examDay == nil {
            throw ValidationError("--deadline must be a day such as 2026-12-24.")
        }
        if let examDay, examDay < LearningClock().day(of: Date()) {
            throw ValidationError(
                "--deadline \(examDay.date) has passed. Choose a day in the future.")
        }
    }

    private var examDay: LearningDay? { deadline.flatMap { LearningDay($0) } }

    /// The wishes for a session by these options.
    private var wishes: SessionWishes {
        var wishes = SessionWishes()
        wishes.criteria.domains = Set(domain)
        wishes.criteria.difficulties = Set(difficulty)
        wishes.criteria.tags = Set(tag)
        (wishes.questionsMax, wishes.newCards) = (limit, newCards)
        (wishes.deadline, wishes.offer) = (examDay, practise?.offer)
        return wishes
    }

    func run() async throws {
        try await reportingErrors {
            guard !web else {
                return try await StudyAppProcess(
                    store: store, network: NetworkOptions.parse([]), chance: chance, url: nil,
                    isJSON: json
                ).run()
            }
            if !set.isEmpty { return try changeSettings() }
            if fit { return try await fitIntervals() }
            if verifySchedules { return try verify(store.userData.openUserData()) }
            let content = try store.open()
            let found = try blueprint(in: content)
            let mode = mode(for: found.value)
            try checkEffects(in: mode)
            say(found)
            let userData = try store.userData.openUserData(making: true)
            // What was corrected since concerns what is due; a bank that did not change is not read.
            _ = try? userData.applyCorrections(of: found.value)
            let data = UnsavedStudyData(userData)
            let services = StudyServices(
                content: content, userData: data, appVersion: store.appVersion,
                makeSeed: chance.seeds())
            try await StudyTerminal(
                services: services, data: data, bank: wanted, mode: mode, wishes: wishes
            ).run(isFresh: fresh)
        }
    }

    /// Returns the requested bank.
    ///
    /// - Throws: `CommandFailure` with the remedy when the device does not have it.
    func blueprint(in content: OfflineStore) throws -> Fresh<Blueprint> {
        do {
            return try content.blueprint(wanted)
        } catch let error as StoreError where error.code == .notFound {
            throw CommandFailure(
                .notFound,
                remedy(content, error),
                place: store.store)
        }
    }

    private func remedy(_ content: OfflineStore, _ error: StoreError) -> String {
        let store = store.store
        guard let manifest = try? content.manifest().value, !manifest.banks.isEmpty else {
            return
                "There is no content in \(store) yet. `underway sync URL --store \(store.shellWord)` fetches it"
                + " from a server, `underway study \(bank) --bundle FOLDER` takes the app's bundle."
        }
        // A refused document is missing here, unless an earlier release of it is shown.
        let missing = Set(
            ((try? content.refusedDocuments()) ?? []).filter { $0.shownRelease == nil }
                .filter { $0.kind == .blueprint || $0.kind == .exam }.map(\.key))
        let banks = manifest.banks.filter { !missing.contains($0) }.sorted()
        // The store explains why a document of its release is missing.
        if manifest.banks.contains(bank) {
            return banks.isEmpty
                ? error.message : "\(error.message) This device has: \(BankOptions.list(banks))."
        }
        guard !banks.isEmpty else {
            return "There is no \"\(bank)\" on this device, and no other that can be read."
        }
        return "There is no \"\(bank)\" on this device. It has: \(BankOptions.list(banks))."
    }

    var wanted: QuestionFilter.Bank {
        QuestionFilter.Bank(name: bank) ?? .placement(language: bank)
    }

    private func verify(_ store: UserStore) throws {
        let check = try store.verifySchedules(
            of: wanted, by: store.scheduler(of: wanted), now: Date())
        if json {
            Console.say(json: [
                "answers": .integer(check.answerCount), "questions": .integer(check.questionCount),
                "differences": .array(check.differences.map { .string($0) }),
            ])
        } else {
            Console.say(
                "\(Console.count(check.answerCount, "answer")) to"
                    + " \(Console.count(check.questionCount, "question")) replayed:"
                    + " \(Console.count(check.differences.count, "difference"))")
            for difference in check.differences { Console.say("  \(difference)") }
        }
        guard check.differences.isEmpty else { throw ExitCode(1) }
    }

    private func say(_ found: Fresh<Blueprint>) {
        let days = Int(found.freshness.age(now: Date()) / (24 * 60 * 60))
        Console.say(Console.styled(found.value.title, .bold))
        Console.say(
            "release \(found.freshness.release), \(found.freshness.source.rawValue),"
                + " installed \(days == 0 ? "today" : "\(Console.count(days, "day")) ago")")
        if let refused = found.freshness.refused {
            Console.note(
                refused.isTriedAgain
                    ? "There is a newer one that has not arrived yet: \(refused)"
                    : "There is a newer one that this version cannot read: \(refused)")
        }
        if found.value.leftOutCount > 0 {
            let count = Console.count(found.value.leftOutCount, "question")
            Console.note("This version cannot ask \(count) of it.")
        }
        let fieldCount = found.freshness.leftOutCount - found.value.leftOutCount
        if fieldCount > 0 {
            Console.note("This version cannot read \(Console.count(fieldCount, "field")) of it.")
        }
    }
}

extension Manifest {
    /// The banks as arguments of `study`.
    fileprivate var banks: [String] {
        languages.filter { $0.value.blueprint != nil }.map { "\($0.key)" }
            + exams.keys.map { "\($0)" }
    }
}
