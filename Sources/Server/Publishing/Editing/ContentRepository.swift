import Foundation

/// The git repository of a content folder, for commits in the author's name.
///
/// It runs git itself, without a shell, so that hooks, signing and ignored files work as for a manual commit. It
/// commits only the named files, or given changes of them; other staged changes stay staged.
package struct ContentRepository: Sendable {
    /// The author of a commit.
    package struct Author: Sendable, Hashable {
        /// The name.
        package let name: String
        /// The email.
        package let email: String

        /// Creates an author from untrusted texts, without characters that are invalid in a commit's header.
        package init(name: String, email: String) {
            self.name = Self.clean(name, otherwise: "unknown")
            self.email = Self.clean(email, otherwise: "unknown@localhost")
        }

        private static func clean(_ text: String, otherwise: String) -> String {
            let kept = String(
                String.UnicodeScalarView(
                    text.unicodeScalars.filter { scalar in
                        scalar.properties.generalCategory != .control && scalar != "<"
                            && scalar != ">"
                    }
                    .prefix(100))
            ).trimmingCharacters(in: .whitespaces)
            return kept.isEmpty ? otherwise : kept
        }
    }

    /// The content folder.
    let folder: String

    /// Opens the repository of a content folder; `nil` without a repository or git, and for an ignored folder.
    ///
    /// A repository that git rejects, such as one of another owner, is opened; each commit then fails with the reason.
    package init?(of folder: String) {
        self.folder = folder
        guard let answer = try? Self.git(["rev-parse", "--is-inside-work-tree"], in: folder),
            answer.status != Self.missingProgram,
            answer.status == 0
                ? answer.output.hasPrefix("true")
                : !answer.errors.contains("not a git repository"),
            (try? Self.git(["check-ignore", "--quiet", "."], in: folder))?.status != 0
        else { return nil }
    }

    /// The status by which `env` says that there is no git.
    private static let missingProgram: Int32 = 127
    /// The seconds that git may take: a hook or a signing agent may wait for ever.
    private static let secondsMax = 30.0

    /// Commits the current state of files.
    ///
    /// - Parameters:
    ///   - files: The files, relative to the content folder; of missing files the removal is committed, if git knew them.
    ///   - message: The message, whose first line is its subject.
    ///   - author: The author; the committer is the configured user of git, otherwise the author.
    /// - Returns: The short name of the commit; `nil` if no file changed since the last commit.
    /// - Throws: `PublishingError` `unwritable` with git's message; the files are unchanged then.
    package func commit(_ files: [String], message: String, author: Author) throws -> String? {
        let missing = files.filter { Files.look(folder + "/" + $0) == nil }
        let known =
            missing.isEmpty
            ? []
            : try run(["ls-files", "-z", "--"] + missing).split(separator: "\0").map(String.init)
        let files = files.filter { !missing.contains($0) || known.contains($0) }
        // Without a name git would look at all that there is.
        if files.isEmpty { return nil }
        try run(["add", "--all", "--"] + files)
        let changed = try Self.git(["diff", "--cached", "--quiet", "--"] + files, in: folder)
        if changed.status == 0 { return nil }
        return try commit(author, message, ["--only", "--"] + files)
    }

    /// Commits an index, or files.
    ///
    /// - Returns: The short name of the commit.
    func commit(
        _ author: Author, _ message: String, _ files: [String] = [], index: String? = nil
    ) throws -> String {
        let isKnown = try ["user.name", "user.email"].allSatisfy {
            try answer(["config", $0], allowing: [0, 1]).status == 0
        }
        try run(
            ["commit", "--quiet", "--author", "\(author.name) <\(author.email)>"]
                + ["--message", message] + files, committer: isKnown ? nil : author, index: index)
        return try run(["rev-parse", "--short", "HEAD"])
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs git, with another index than the repository's own where one is named, and returns what it prints.
    @discardableResult
    func run(
        _ arguments: [String], committer: Author? = nil, index: String? = nil
    ) throws -> String {
        try answer(arguments, committer: committer, index: index).output
    }

    /// Runs git, and takes other endings than those that are allowed for failures.
    func answer(
        _ arguments: [String], committer: Author? = nil, index: String? = nil,
        bytesMax: Int = outputBytesMax, allowing statuses: Set<Int32> = [0]
    ) throws -> Answer {
        let answer = try Self.git(
            arguments, in: folder, committer: committer, index: index, bytesMax: bytesMax)
        guard statuses.contains(answer.status) else {
            let words = answer.errors.split(separator: "\n").prefix(3).joined(separator: " ")
            throw PublishingError(
                .unwritable,
                "git could not commit the change of \(folder), which is saved: \(words.prefix(400))"
            )
        }
        return answer
    }

    struct Answer {
        var status: Int32
        var bytes = Data()
        var errors: String

        /// The output as text.
        var output: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The most bytes of git's words that are read.
    private static let outputBytesMax = 64 * 1024

    /// Runs git.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after the folder.
    ///   - folder: The folder in which it runs.
    ///   - committer: Who commits where git knows nobody.
    ///   - index: The index; `nil` for that of the repository.
    ///   - bytesMax: The most bytes of its output that are read.
    ///   - secondsMax: The seconds after which it is ended.
    /// - Returns: Its answer.
    /// - Throws: `PublishingError` `unwritable` for the folder of temporary files, an error of the system when git
    ///   cannot be started.
    static func git(
        _ arguments: [String], in folder: String, committer: Author? = nil, index: String? = nil,
        bytesMax: Int = outputBytesMax, secondsMax: Double = secondsMax
    ) throws -> Answer {
        var environment = ProcessInfo.processInfo.environment
        // Whoever runs this has no terminal to type a password into.
        environment["GIT_TERMINAL_PROMPT"] = "0"
        // Its words are compared.
        environment["LC_ALL"] = "C.UTF-8"
        if let index { environment["GIT_INDEX_FILE"] = index }
        if let committer {
            environment["GIT_COMMITTER_NAME"] = environment["GIT_COMMITTER_NAME"] ?? committer.name
            environment["GIT_COMMITTER_EMAIL"] =
                environment["GIT_COMMITTER_EMAIL"] ?? committer.email
        }
        let (output, errors) = (try temporaryFile(), try temporaryFile())
        defer {
            for file in [output, errors] {
                try? file.handle.close()
                try? FileManager.default.removeItem(at: file.url)
            }
        }
        let process = try ChildProcess(
            ["/usr/bin/env", "git", "-C", folder] + arguments, environment: environment,
            output: output.handle.fileDescriptor, errors: errors.handle.fileDescriptor)
        guard let status = process.status(within: secondsMax) else {
            process.end()
            return Answer(
                status: -1,
                errors: "git \(arguments.first ?? "") took more than \(Int(secondsMax)) s"
                    + " and was ended")
        }
        return Answer(
            status: status, bytes: bytes(of: output.url, bytesMax),
            errors: String(decoding: bytes(of: errors.url, outputBytesMax), as: UTF8.self))
    }

    /// Creates a file in place of a pipe, which a process fills and then waits for a reader.
    private static func temporaryFile() throws -> (url: URL, handle: FileHandle) {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "underway-git-\(UUID().uuidString)")
        guard
            FileManager.default.createFile(
                atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw PublishingError(.unwritable, "\(url.path) cannot be written.")
        }
        return (url, try FileHandle(forWritingTo: url))
    }

    private static func bytes(of url: URL, _ bytesMax: Int) -> Data {
        let handle = try? FileHandle(forReadingFrom: url)
        // What cannot be read is as good as nothing; the status says how git ended.
        return (try? handle?.read(upToCount: bytesMax)) ?? Data()
    }
}
