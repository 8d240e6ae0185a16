import ArgumentParser
import ContentModel
import Foundation
import Publishing

struct PublishCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "publish",
        abstract: "Check the content folder and make a new release of what changed.")

    @OptionGroup var folders: FolderOptions

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Only these steps; what belongs to others is left as it is.",
            valueName: PublishStep.allCases.map(\.rawValue).joined(separator: "|")))
    var only: [StepArgument] = []

    @Flag(help: "Read every source and every served file again.")
    var verify = false

    @Flag(help: "Bring edits of served files back into the content folder.")
    var adopt = false

    @Flag(help: "Discard edits of served files.")
    var overwrite = false

    func validate() throws {
        if adopt, overwrite { throw ValidationError("Choose one of --adopt and --overwrite.") }
    }

    func run() async throws {
        var publisher = Publisher(
            folder: folders.content, release: folders.release,
            steps: only.isEmpty ? Set(PublishStep.allCases) : Set(only.map(\.step)),
            verifies: verify,
            driftPolicy: adopt ? .adopt : overwrite ? .overwrite : .refuse)
        let line = ProgressLine()
        publisher.progress = { line.show($0, of: $1, "built") }
        let moment = Moment()
        let summary = try await reportingErrors { [publisher] in
            defer { line.end() }
            return try publisher.publish(nowSeconds: moment.seconds, generatedAt: moment.text)
        }
        folders.json ? Console.say(json: summary.json) : summary.say(verb: "Published")
    }
}

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say what a publish would do, and which served files were edited by hand.")

    @OptionGroup var folders: FolderOptions

    func run() async throws {
        let summary = try await reportingErrors { try folders.publisher.status() }
        folders.json ? Console.say(json: summary.json) : summary.sayStatus()
    }
}

struct RollbackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback",
        abstract: "Make the content of an older release current again, under a new number.",
        discussion: "The content folder is not changed: the next publish publishes it again.")

    @Argument(help: "The number of the release to go back to.")
    var number: Int

    @OptionGroup var folders: FolderOptions

    @Flag(help: "Discard edits of served files.")
    var overwrite = false

    func run() async throws {
        var publisher = folders.publisher
        publisher.driftPolicy = overwrite ? .overwrite : .refuse
        let moment = Moment()
        let summary = try await reportingErrors { [publisher] in
            try publisher.rollback(
                to: number, nowSeconds: moment.seconds, generatedAt: moment.text)
        }
        guard !folders.json else { return Console.say(json: summary.json) }
        summary.say(verb: "Rolled back to \(number) as")
        Console.say("The content folder still has the newer content; mend it before you publish.")
    }
}

struct PruneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Remove old releases and the objects that only they used.")

    @OptionGroup var folders: FolderOptions

    @Option(help: "How many releases to keep (default: keepReleases of underway.yaml, or 5).")
    var keep: Int?

    func validate() throws {
        // Kept is at least the current release; whoever asks for less meant something else.
        if let keep, keep < 1 { throw ValidationError("--keep takes 1 or more, not \(keep).") }
    }

    func run() async throws {
        let (releases, objects) = try await reportingErrors {
            let publisher = folders.publisher
            return try publisher.prune(keep: try keep ?? publisher.keptReleases())
        }
        if folders.json {
            Console.say(json: [
                "releases": .array(releases.map { .integer($0) }), "objects": .integer(objects),
            ])
        } else {
            Console.say(
                "Removed \(Console.count(releases.count, "release")) and"
                    + " \(Console.count(objects, "object")).")
        }
    }
}

extension PublishSummary {
    var json: JSONValue {
        func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
        return [
            "release": .integer(release), "isNew": .bool(isNew), "changed": list(changed),
            "removed": list(removed), "restored": list(restored), "drifted": list(drifted),
            "revived": list(revived), "foreign": list(foreign),
            "adopted": list(adopted), "damagedObjects": list(damagedObjects),
            "continuedAfter": continuedAfter.map { .integer($0) } ?? .null,
            "unitsBuilt": .integer(unitsBuilt), "unitsTotal": .integer(unitsTotal),
            "objectsWritten": .integer(objectsWritten), "manifestBytes": .integer(manifestBytes),
            "blueprints": .integer(blueprints), "warnings": ProblemReport.json(warnings),
        ]
    }

    func say(verb: String) {
        for warning in warnings { Console.say(Console.styled(warning.summary, .yellow)) }
        for path in adopted { Console.say("adopted  \(path) (comments are not kept)") }
        for path in drifted where adopted.isEmpty { Console.say("discarded the edit of \(path)") }
        sayList("changed", changed)
        sayList("removed", removed)
        sayList("restored", restored)
        sayUnowned("removed")
        guard isNew else {
            Console.say("Nothing changed; release \(release) stays.")
            return
        }
        sayForgotten()
        Console.say(
            Console.styled("\(verb) release \(release)", .green)
                + ": \(Console.count(changed.count, "file")) changed of"
                + " \(blueprints) blueprints and their files,"
                + " manifest \(Console.bytes(manifestBytes)).")
    }

    private func sayForgotten() {
        guard let continuedAfter else { return }
        let text =
            "The release directory has forgotten that release \(continuedAfter) was published"
            + " from this content folder. Numbers go on after it: devices that have it would"
            + " take a lower one for older."
        Console.say(Console.styled(text, .yellow))
    }

    func sayStatus() {
        Console.say(release == 0 ? "Nothing was published yet." : "Release \(release) is current.")
        sayForgotten()
        sayList("edited by hand", drifted)
        if !damagedObjects.isEmpty {
            Console.say(
                "Edited in place, so that devices get wrong objects until the next"
                    + " `underway publish`: \(damagedObjects.joined(separator: ", ")).")
        }
        sayList("to change", changed)
        sayList("to remove", removed)
        sayList("to restore", restored)
        sayUnowned("to remove")
        let isClean = drifted.isEmpty && restored.isEmpty && revived.isEmpty && !isNew
        Console.say(isClean ? "A publish would change nothing." : "`underway publish` is due.")
    }

    /// What stands under names that the release does not have.
    private func sayUnowned(_ verb: String) {
        if !revived.isEmpty {
            sayList("\(verb) (of an earlier release)", revived)
        }
        guard !foreign.isEmpty else { return }
        sayList("not of any release", foreign)
        let text =
            "A web server serves these files, but no release that is kept published them so. They are left"
            + " as they are: move what you do not want out of the release directory."
        Console.say(Console.styled(text, .yellow))
    }

    /// A long list is cut: `--json` has it whole.
    private func sayList(_ title: String, _ paths: [String]) {
        for path in paths.prefix(10) { Console.say("\(title)  \(path)") }
        if paths.count > 10 { Console.say("\(title)  … and \(paths.count - 10) more") }
    }
}
