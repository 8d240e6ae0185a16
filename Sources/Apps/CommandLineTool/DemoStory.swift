import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import Publishing
import QuestionEngine
import ServiceAPI
import SyncClient
import Workflows

/// The scenes of the demo; all numbers in their text are measured.
struct DemoStory {
    let content: URL
    let release: URL
    /// The folder for all files of the demo.
    let root: URL
    private let sample: URL
    private let bundle: URL
    private let storeFolder: URL
    let store: OfflineStore
    private let editedLanguage = "es"

    init(root: URL, sample: URL) throws {
        guard FileManager.default.fileExists(atPath: sample.path + "/underway.yaml") else {
            throw SyncError(
                .storage, "There is no sample content at \(sample.path); name it by --content.")
        }
        self.sample = sample
        self.root = root
        content = root.appending(path: "content")
        release = root.appending(path: "release")
        bundle = root.appending(path: "bundle")
        storeFolder = root.appending(path: "device")
        // A repeated demo starts anew.
        let others = ["class", "keys", "devices", "forgery"].map { root.appending(path: $0) }
        for folder in [content, release, bundle, storeFolder] + others {
            try? FileManager.default.removeItem(at: folder)
        }
        try FileManager.default.createDirectory(at: content, withIntermediateDirectories: true)
        store = try OfflineStore(folder: storeFolder, appVersion: Tool.version)
    }

    private func scene(_ title: String) { Console.say("\n" + Console.styled(title, .bold)) }

    private func bring(_ name: String) throws {
        try FileManager.default.copyItem(
            at: sample.appending(path: name), to: content.appending(path: name))
    }

    func publish(
        keys: String? = nil, rollout: RolloutChange? = nil
    ) async throws -> PublishSummary {
        var change = ReleaseChange(.publish)
        change.options.rollout = rollout
        return try await run(change, keys)
    }

    /// Makes a release of the story's folders, or of others that a thief has.
    func run(
        _ change: ReleaseChange, _ keys: String? = nil, content: URL? = nil
    ) async throws -> PublishSummary {
        let place = Workplace(
            content: (content ?? self.content).path, release: release.path, keys: keys)
        guard let summary = try await change.run(in: place, by: Operator.actor).summary else {
            throw SyncError(.storage, "No release was made.")
        }
        return summary
    }

    /// Returns another device, which asks at each run.
    func device(
        _ name: String, _ transport: HTTPTransport, _ releaseURL: URL, _ trust: TrustPolicy
    ) throws -> (sync: ContentSync, store: OfflineStore) {
        let folder = root.appending(path: "devices/\(name)")
        // A repeated demo starts anew.
        try? FileManager.default.removeItem(at: folder)
        let store = try OfflineStore(folder: folder, appVersion: Tool.version)
        var settings = SyncSettings()
        settings.manifestCooldown = .zero
        let sync = ContentSync(
            store: store, transport: transport, releaseURL: releaseURL, settings: settings,
            trust: trust)
        return (sync, store)
    }

    private func milliseconds(_ body: () async throws -> Void) async rethrows -> Int {
        let duration = try await ContinuousClock().measure { try await body() }
        return Int(duration / .milliseconds(1))
    }

    // MARK: Scenes

    func authorPublishes() async throws {
        scene("1. An author checks and publishes placement tests")
        for name in ["underway.yaml", "languages"] { try bring(name) }
        if FileManager.default.fileExists(atPath: sample.appending(path: "profiles").path) {
            try bring("profiles")
        }
        Console.say("(So that there is something to correct later, the demo puts in a mistake.)")
        try plantWrongKey()
        let problems = try ContentChecker.check(folder: content.path)
        Console.say(
            "check: \(Console.count(problems.count { $0.rule.severity == .error }, "error")), "
                + Console.count(problems.count { $0.rule.severity == .warning }, "warning"))
        let summary = try await publish()
        Console.say(
            "publish: release \(summary.release), \(summary.blueprints) placement tests, "
                + "\(summary.objectsWritten) objects")
        let written = try BundleWriter.write(releaseDirectory: release.path, to: bundle.path)
        Console.say(
            "bundle: \(written.objects) objects, \(Console.bytes(written.bytes)), into the app")
    }

    func deviceStartsOffline() async throws {
        scene("2. A device starts for the first time, with no network")
        let took = try await milliseconds {
            try store.installBundle(ContentBundle(folder: bundle), now: Date())
        }
        let transport = HTTPTransport()
        defer { transport.close() }
        // Port 9 of this machine, on which nothing listens.
        let report = await ContentSync(
            store: store, transport: transport,
            releaseURL: try URL(address: "http://127.0.0.1:9/api/content/v2")
        ).sync(force: true)
        Console.say("sync: \(report.text)")
        let test = try store.blueprint(.placement(language: editedLanguage))
        let perfect = Dictionary(
            uniqueKeysWithValues: test.value.questions.map { ($0.id, $0.correctResponse) })
        let result = PlacementResult(answers: perfect, blueprint: test.value)
        Console.say(
            "from the bundle (\(took) ms): \"\(test.value.title)\", \(result.questionCount)"
                + " questions; all right gives \(result.points) points, level "
                + (result.level ?? "none"))
    }

    func deviceCatchesUp(port: Int) async throws {
        scene("3. The author adds two exam banks; the device catches up")
        for name in ["exams", "assets", "assets.yaml", "schemas"]
        where FileManager.default.fileExists(atPath: sample.appending(path: name).path) {
            try bring(name)
        }
        let summary = try await publish()
        Console.say("publish: release \(summary.release), \(summary.blueprints) blueprints in all")
        let report = try await sync(port: port)
        Console.say("sync: \(report.text)")
    }

    /// Plays the scene in which a wrong key is corrected.
    ///
    /// - Returns: The last line of the demo.
    func keyIsCorrected(port: Int) async throws -> String {
        scene("4. One answer key is wrong; the author corrects it")
        let id = try correctKey()
        let clock = ContinuousClock.now
        let summary = try await publish()
        let published = Int((ContinuousClock.now - clock) / .milliseconds(1))
        Console.say(
            "publish: release \(summary.release), changed \(summary.changed.joined(separator: ", "))"
                + " (\(published) ms)")
        var report: SyncReport?
        let took = try await milliseconds { report = try await sync(port: port) }
        guard let report, case .installed = report.outcome else {
            throw SyncError(.serverError, "The fix did not arrive: \(report?.text ?? "")")
        }
        let fixed = try store.blueprint(.placement(language: editedLanguage))
        let question = fixed.value.questions.first { $0.id == id }
        let options = question?.options.filter {
            question?.correctOptionIDs.contains($0.id) == true
        }
        let key = (options ?? []).map(\.text)
        Console.say(
            Console.styled(
                "sync: \(report.tally.blueprints) of \(summary.blueprints) blueprints,"
                    + " \(report.tally.requests) requests, \(report.tally.bodyBytes) bytes,"
                    + " \(took) ms", .green))
        Console.say("the device now has the key \"\(key.joined(separator: ", "))\" for \(id)")
        return "\ndemo: ok transferred=\(report.tally.blueprints) blueprints=\(summary.blueprints)"
            + " bytes=\(report.tally.bodyBytes) milliseconds=\(took)"
    }

    func answersComeBack(port: Int) async throws {
        scene("5. A learner answers on the phone, with no network; later the tablet knows")
        let bank = QuestionFilter.Bank.placement(language: editedLanguage)
        let questions = try store.blueprint(bank).value.questions
            .filter { $0.type == .singleChoice }
        try await DemoAnswers(
            root: root.appending(path: "learner"), server: "http://127.0.0.1:\(port)", bank: bank,
            questions: Array(questions.prefix(3))
        ).play()
    }

    func learnersCompare(port: Int) async throws {
        scene("6. Learners see where they stand")
        let bank = QuestionFilter.Bank.placement(language: editedLanguage)
        let questions = try store.blueprint(bank).value.questions
            .filter { $0.type == .singleChoice }
        try await DemoBoard(
            root: root.appending(path: "learners"), users: root.appending(path: "users"),
            server: "http://127.0.0.1:\(port)", bank: bank, questions: Array(questions.prefix(3))
        ).play()
    }

    func learnersCompete(port: Int) async throws {
        scene("7. A live event: places change at once, and are final at its end")
        try await DemoEvent(
            root: root.appending(path: "learners"), users: root.appending(path: "users"),
            server: "http://127.0.0.1:\(port)",
            bank: QuestionFilter.Bank.placement(language: editedLanguage).name
        ).play()
    }

    func savesAreLive() async throws {
        scene("8. Those who develop see each save at once")
        try bring("announcements")
        let summary = try await publish()
        let bundle = root.appending(path: "app-bundle")
        // A repeated demo starts anew.
        for folder in [bundle, root.appending(path: "app")] {
            try? FileManager.default.removeItem(at: folder)
        }
        _ = try BundleWriter.write(releaseDirectory: release.path, to: bundle.path)
        Console.say(
            "the app brings release \(summary.release); `underway dev` watches the content folder")
        try await DemoLive(content: content, root: root.appending(path: "app"), bundle: bundle)
            .play()
    }

    func keyIsFound(port: Int) async throws {
        scene("9. Answers reveal a wrong key; the fix ships, and who answered is graded again")
        try await DemoLoop(
            story: self, language: editedLanguage, server: "http://127.0.0.1:\(port)"
        ).play { _ = try await sync(port: port) }
    }

    func hostIsTakenOver(port: Int) async throws {
        scene("10. Releases are signed: a device that pins the root takes nothing from a thief")
        try await DemoTrust(
            story: self, bank: .placement(language: editedLanguage),
            releaseURL: URL(address: "http://127.0.0.1:\(port)\(ContentRoutes.prefix)")
        ).play()
    }

    func releaseGoesToSomeFirst(port: Int) async throws {
        scene("11. A release goes to some devices first, is paused, and then reaches all")
        try await DemoRollout(
            story: self, releaseURL: URL(address: "http://127.0.0.1:\(port)\(ContentRoutes.prefix)")
        ).play()
    }

    func howToPlayOn(port: Int) -> String {
        let url = "http://127.0.0.1:\(port)\(ContentRoutes.prefix)"
        return """

            The server keeps running, with the study app at the address below; Ctrl-C ends both. In another
            terminal, play on:
              edit     \(editedFile.path)
              publish  underway publish --content \(content.path) --release \(release.path) --keys \(root.path)/keys
              sync     underway sync \(url) --force --store \(storeFolder.path)
              study    underway study \(editedLanguage) --plain --store \(storeFolder.path)
            `underway` is .build/debug/underway here.
            """
    }

    /// Returns the study app of the demo's device, which ends with Ctrl-C as the server does.
    ///
    /// - Throws: An error of the arguments.
    func studyApp(port: Int) throws -> StudyAppProcess {
        StudyAppProcess(
            store: try StoreOptions.parse(["--store", storeFolder.path]),
            network: try NetworkOptions.parse([]), chance: try ChanceOptions.parse([]),
            url: "http://127.0.0.1:\(port)\(ContentRoutes.prefix)")
    }

    // MARK: Props

    private func sync(port: Int) async throws -> SyncReport {
        let transport = HTTPTransport()
        defer { transport.close() }
        let report = await ContentSync(
            store: store, transport: transport,
            releaseURL: try URL(address: "http://127.0.0.1:\(port)\(ContentRoutes.prefix)")
        ).sync(force: true)
        if case .failed(let failure) = report.outcome { throw failure }
        return report
    }

    private var editedFile: URL {
        content.appending(path: "languages/\(editedLanguage)/blueprint.json")
    }

    /// Puts a wrong key into the author's copy, for the story to correct.
    private func plantWrongKey() throws {
        try changeKey { key, optionCount in (key + 1) % optionCount }
    }

    /// Restores the sample's key of the question.
    ///
    /// - Returns: The question's id.
    private func correctKey() throws -> String {
        let original = try Blueprint(
            released: [UInt8](
                Data(
                    contentsOf: sample.appending(
                        path: "languages/\(editedLanguage)/blueprint.json"))))
        let question = original.questions.first { $0.type == .singleChoice }
        try changeKey { _, _ in question?.correct.first ?? 0 }
        return question?.id ?? ""
    }

    /// Gives a question in a content folder a wrong key, as an author by mistake or a thief.
    ///
    /// - Returns: The question with that key.
    static func spoil(
        _ question: Question?, of bank: String, in folder: URL
    ) throws -> Question {
        let editor = try ContentEditor(folder: folder.path)
        let wrong = question?.options.first { question?.correctOptionIDs.contains($0.id) == false }
        guard let spoiled = wrong.flatMap({ question?.withKey($0.id) }),
            let key = spoiled.json["correct"],
            case let part = try editor.read(.question(id: spoiled.id, bank: bank)),
            let value = part.value
        else { throw SyncError(.storage, "The sample has no single-choice question.") }
        try editor.save(part.replaced(by: value.with(["correct": key])))
        return spoiled
    }

    /// Edits what every device shows: the title of a test.
    func editTitle() throws {
        var blueprint = try Blueprint(released: [UInt8](try Data(contentsOf: editedFile)))
        blueprint.title += " (reviewed)"
        try Data(blueprint.json.canonicalBytes).write(to: editedFile)
    }

    /// Edits the key of the first single-choice question of one language.
    private func changeKey(_ change: (_ key: Int, _ optionCount: Int) -> Int) throws {
        var blueprint = try Blueprint(released: [UInt8](try Data(contentsOf: editedFile)))
        guard let index = blueprint.questions.firstIndex(where: { $0.type == .singleChoice }) else {
            throw SyncError(.storage, "The sample has no single-choice question.")
        }
        let question = blueprint.questions[index]
        let key = change(question.correct[0], question.options.count)
        blueprint.questions[index].correct = [key]
        try Data(blueprint.json.prettyText.utf8).write(to: editedFile)
        Console.say(
            "edit: the key of \(editedLanguage)/\(question.id), \"\(question.stem)\", from"
                + " \"\(question.options[question.correct[0]].text)\""
                + " to \"\(question.options[key].text)\"")
    }
}
