import ArgumentParser
import ContentModel
import Foundation
import Publishing

/// The command for the signatures of a release.
struct TrustCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Sign releases, so that devices accept no others.",
        discussion: """
            `trust init` makes the keys, and names the file that the app must ship. Then publish with --keys. \
            Devices trust a release as the newest for 14 days. Let cron or a timer run `trust refresh` more often \
            than that. docs/trust.md explains what to do when a key is lost.
            """,
        examples: ["underway trust init --keys underway-keys"],
        subcommands: [
            Init.self, Rotate.self, Refresh.self, Status.self, Sign.self, Discard.self,
        ])

    struct Init: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Make the keys, and sign the current release.",
            examples: [
                "underway trust init --keys underway-keys",
                "underway trust init --keys underway-keys --authors 3 --threshold 2",
            ])

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

        @Flag(help: "Begin a new root even if this content was published with signatures before.")
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
            abstract: "Replace or add a key, and sign the next root.",
            discussion: """
                The key folder must contain enough root keys, and the keys of the other roles to sign the release \
                again. After you rotate the timestamp or snapshot key, devices also forget version numbers that an \
                attacker raised.
                """,
            examples: ["underway trust rotate timestamp --keys underway-keys"])

        @Argument(help: "The role: root, targets, snapshot or timestamp.")
        var role: TrustRoleArgument

        @Option(help: "The key to replace, by the first characters of its id.")
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
            abstract: "Renew the timestamp, and other signatures that expire soon.",
            discussion: "A signature is renewed only if its key is in the folder.",
            examples: ["underway trust refresh --keys underway-keys --release release"])

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
            abstract: "Show whose signatures a release has, and when they expire.",
            discussion: "The exit code is 1 if a signature must be renewed soon.",
            examples: ["underway trust status --release release"])

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
                    .contentErrors,
                    "Some signatures must be renewed soon. Run `underway trust refresh`.",
                    place: places.release)
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
            "The content folder, which records the newest root (default: content, if there is one).",
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
