import ArgumentParser
import ContentModel
import Foundation
import Publishing

/// The command for the signatures of a release.
struct TrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Sign releases, so that devices take nothing from anybody else.",
        discussion: """
            `trust init` makes keys and names the file that the app ships. From then on every publish signs with \
            --keys, and `trust refresh` signs the timestamp again at least every 14 days (by cron or a timer): it \
            tells devices that what they have is the newest. docs/trust.md says what to do when a key is lost.
            """,
        subcommands: [
            Init.self, Rotate.self, Refresh.self, Status.self, Sign.self, Discard.self,
        ])

    struct Init: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Make keys, and sign the current release.")

        @Option(
            help: "A new folder for the private keys, apart from content and release.",
            transform: PathArgument.path)
        var keys: String

        @Option(help: "The number of authors' keys.")
        var authors = 1

        @Option(help: "How many authors must sign a release.")
        var threshold = 1

        @Option(help: "The number of root keys; with two, one may be lost.")
        var rootKeys = 2

        @Option(help: "How many root keys must sign a change of keys.")
        var rootThreshold = 1

        @Flag(help: "Begin a new root though this content was published signed before.")
        var newRoot = false

        @Option(help: "The content folder (default: content).", transform: PathArgument.path)
        var content = "content"

        @Option(help: "The release directory (default: release).", transform: PathArgument.path)
        var release = "release"

        @OptionGroup var output: OutputOptions

        func run() async throws {
            var plan = TrustAdministration.Plan()
            (plan.authors, plan.threshold) = (authors, threshold)
            (plan.rootKeys, plan.rootThreshold) = (rootKeys, rootThreshold)
            plan.beginsAnew = newRoot
            let root = try await reportingErrors { [plan] in
                try TrustAdministration(releaseDirectory: release, now: Date(), content: content)
                    .begin(keys: KeyFolder(keys), plan: plan, apart: [content])
            }
            Console.say(
                """
                The release is signed. The app ships \(root) and pins it.
                The keys are in \(keys), readable by you alone. Move the root keys to a medium of their own, and \
                make a copy: without them no key can be replaced.
                Publish with --keys \(keys) from now on.
                """,
                json: ["root": .string(root), "keys": .string(keys)])
        }
    }

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Replace a key of a role, or add one, and sign the next root.",
            discussion: """
                Needs enough root keys in the folder and, to sign the release again, the keys of the other roles. \
                Rotating the timestamp's or snapshot's key also lets devices forget versions that a thief raised.
                """)

        @Argument(help: "The role: root, targets, snapshot or timestamp.")
        var role: TrustRoleArgument

        @Option(help: "The key that goes, by the beginning of its id.")
        var replace: String?

        @Flag(help: "Keep all keys of the role and add one.")
        var add = false

        @OptionGroup var signing: TrustFolders

        func validate() throws {
            if add, replace != nil {
                throw ValidationError("Choose one of --add and --replace.")
            }
        }

        func run() async throws {
            let (name, version) = try await reportingErrors {
                try signing.administration.rotate(
                    role.role, replacing: replace, adds: add, keys: KeyFolder(signing.keys))
            }
            Console.say(
                "Root \(version) is signed, with the key \(signing.keys)/\(name).pem for the role"
                    + " \(role.role.rawValue). Devices follow by themselves; nothing has to be shipped.\(role.handOver)",
                json: ["key": .string(name), "rootVersion": .integer(version)])
        }
    }

    struct Refresh: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "refresh",
            abstract: "Sign the timestamp again and, with their keys, what expires soon.")

        @OptionGroup var signing: TrustFolders

        func run() async throws {
            let (roles, status) = try await reportingErrors {
                let roles = try signing.administration.refresh(keys: KeyFolder(signing.keys))
                return (roles, try signing.administration.status())
            }
            let names = roles.map(\.rawValue)
            let until = status?.confirmedUntil
            Console.say(
                "Signed: \(names.joined(separator: ", ")). "
                    + (until.map {
                        "Devices count the release as the newest until \($0.formatted(.iso8601))."
                    } ?? "`underway trust status` says what is missing."),
                json: .compact([
                    "signed": .array(names.map { .string($0) }),
                    "confirmedUntil": until.map { .string($0.formatted(.iso8601)) },
                ]))
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show who signs, and how long the signatures last.",
            discussion: "Ends with exit code 1 when something is to be signed soon.")

        @OptionGroup var places: TrustPlaces

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let now = Date()
            let status = try await reportingErrors { try places.administration(now: now).status() }
            guard let status else {
                return Console.say(
                    "\(places.release) is not signed: devices believe its host. `underway trust init` begins it.",
                    json: ["isSigned": false])
            }
            Console.say(status.text(now: now), json: status.json)
            if status.needsAttention {
                throw CommandFailure.reported(
                    .contentErrors, "Something is to be signed soon.", place: places.release)
            }
        }
    }
}

/// A role of trust as an argument.
struct TrustRoleArgument: ExpressibleByArgument {
    let role: TrustRole

    init?(argument: String) {
        guard let role = TrustRole(rawValue: argument) else { return nil }
        self.role = role
    }

    static let allValueStrings = TrustRole.allCases.map(\.rawValue)

    /// The instructions for a new key of the role.
    var handOver: String {
        switch role {
        case .root: " Move it to a medium of its own, and make a copy."
        case .targets: " If it is another author's, give it to that author and remove it here."
        case .snapshot: ""
        case .timestamp: " Whatever signs the timestamp, a server or a timer, needs it now."
        }
    }
}

/// The release directory, and the content folder that remembers its roots.
struct TrustPlaces: ParsableArguments {
    @Option(help: "The release directory (default: release).", transform: PathArgument.path)
    var release = "release"

    @Option(
        help:
            "The content folder, which remembers the newest root (default: content, if there is one).",
        transform: PathArgument.path)
    var content = "content"

    func administration(now: Date) -> TrustAdministration {
        TrustAdministration(releaseDirectory: release, now: now, content: content)
    }
}

/// The release directory and the keys that sign it.
struct TrustFolders: ParsableArguments {
    @Option(help: "The folder of private keys.", transform: PathArgument.path)
    var keys: String

    @OptionGroup var places: TrustPlaces

    @OptionGroup var output: OutputOptions

    var administration: TrustAdministration { places.administration(now: Date()) }
}

extension TrustStatus {
    /// Returns the status as a table.
    func text(now: Date) -> String {
        var lines = roles.map { role in
            let version = role.version.map { "version \($0)" } ?? "not signed"
            let left =
                role.expires.map { expires in
                    let days = Int(expires.timeIntervalSince(now) / 86_400)
                    return expires <= now ? "EXPIRED" : Console.count(days, "day") + " left"
                } ?? "–"
            return
                "\(role.role.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0))\(version), \(left), \(role.threshold) of \(Console.count(role.keyIDs.count, "key"))"
                + (role.needsAttention ? "  SIGN SOON" : "") + "\n"
                + role.keyIDs.map { "          \($0)" }.joined(separator: "\n")
        }
        if !namesCurrentRelease {
            lines.append(
                "The signatures are not of the current release: devices that verify stay on an earlier one."
                    + " `underway publish --keys` signs it.")
        }
        if let pending { lines.append("\(pending.progress.sentence) \(pending.advice)") }
        if let pendingProblem { lines.append(pendingProblem) }
        return lines.joined(separator: "\n")
    }

    /// The status as a document.
    var json: JSONValue {
        .compact([
            "pendingProblem": pendingProblem.map { .string($0) },
            "pending": pending.map { pending in
                let progress = pending.progress
                return [
                    "release": .integer(progress.release), "file": .string(pending.file),
                    "isStale": .bool(pending.isStale),
                    "signed": .array(progress.signed.map { .string($0) }),
                    "unsigned": .array(progress.unsigned.map { .string($0) }),
                    "threshold": .integer(progress.threshold),
                ]
            },
            "isSigned": true, "namesCurrentRelease": .bool(namesCurrentRelease),
            "needsAttention": .bool(needsAttention),
            "roles": .array(
                roles.map { role in
                    .compact([
                        "role": .string(role.role.rawValue),
                        "keys": .array(role.keyIDs.map { .string($0) }),
                        "threshold": .integer(role.threshold),
                        "version": role.version.map { .integer($0) },
                        "expires": role.expires.map { .string($0.formatted(.iso8601)) },
                        "needsAttention": .bool(role.needsAttention),
                    ])
                }),
        ])
    }
}
