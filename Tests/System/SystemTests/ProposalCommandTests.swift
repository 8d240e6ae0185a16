import Foundation
import Ledger
import Publishing
import Review
import ServerApplication
import TestSupport
import Testing

/// `proposals confirm` as an author types it, also when it is killed.
@Suite struct ProposalCommandTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try folder.writeContent(["es", "de"])
        _ = try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        ).publish(nowSeconds: 1_700_000_000, generatedAt: "2023-11-14T22:13:20Z")
        let users = try await UserBackend(
            UserServiceOptions(folder: folder.url.appending(path: "users")))
        _ = try await users.review?.changeProposals { _ in
            ProposalChanges(proposals: [
                Proposal(
                    bank: "es", question: "es-1", version: "1", key: "a", proposedKey: "b",
                    evidence: .init(respondents: 40), flaggedAt: 1)
            ])
        }
    }

    private func confirm(_ words: String...) async throws -> Tool.Result {
        try await Tool.run(
            ["proposals", "confirm", "1", "--data", folder.path + "/users"] + words + [
                "--content", folder.path + "/content", "--release", folder.path + "/release",
            ])
    }

    @Test func whatIsKilledRightAfterTheCommitGoesOn() async throws {
        try folder.makeRepository()
        // git runs the hook, and the command runs git.
        let hook = "content/.git/hooks/post-commit"
        try folder.write(
            "#!/bin/sh\nread -r _ _ _ command _ < /proc/$PPID/stat\nkill -9 $command\n", to: hook)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/" + hook)

        let killed = try await confirm("--publish")
        let state = try await Tool.run([
            "proposals", "show", "1", "--data", folder.path + "/users",
        ])
        let done = try await confirm("--publish")
        let again = try await confirm("--publish")

        #expect(killed.wasKilled, "\(killed)")
        #expect(state.output.contains("es es-1, open"), "\(state)")
        #expect(done.status == 0 && done.output.contains("has this key already."), "\(done)")
        #expect(done.output.contains("Release 2 is out."), "\(done)")
        #expect(again.status == 0 && again.output.contains("release 2 stays"), "\(again)")
        let log = try folder.git("log", "--format=%s").split(separator: "\n")
        #expect(log == ["Correct the key of es-1 in es", "Begin"])
        let audit = try await Tool.run(["audit", "--data", folder.path + "/users"])
        let actions = audit.output.split(separator: "\n").map {
            $0.components(separatedBy: "  ").dropFirst(3).first
        }
        #expect(actions == ["proposal.confirmed", "content.published"], "\(audit)")
    }

    private static let bank = "content/languages/es/blueprint.yaml"

    private func edit(_ text: String) throws {
        try folder.write(folder.text(Self.bank) + text, to: Self.bank)
    }

    @Test func aConfirmationCommitsItsKeyAndNothingElse() async throws {
        try folder.makeRepository()
        try edit("# staged\n")
        try folder.git("add", ".")
        try edit("# mine\n")
        let done = try await confirm()
        #expect(done.status == 0 && done.output.contains("Committed as "), "\(done)")
        let commit = try folder.git("show", "--unified=0", "--format=%s", "HEAD")
        #expect(commit.contains("+    correct: [1]") && commit.contains("corrections.yaml"))
        #expect(!commit.contains("staged") && !commit.contains("mine"), "\(commit)")
        let differing = try folder.git("diff", "--unified=0", "HEAD")
        #expect(differing.hasSuffix("+# staged\n+# mine\n"), "\(differing)")
        let staged = try folder.git("diff", "--unified=0", "--cached")
        #expect(staged.hasSuffix("+# staged\n") && !staged.contains("correct:"), "\(staged)")
        let again = try await confirm()
        #expect(again.status == 0 && !again.output.contains("Committed"), "\(again)")
        #expect(try folder.git("log", "--format=%h").split(separator: "\n").count == 2)
    }

    @Test func aNoteForEarlierAnswersIsCommittedWithItsKey() async throws {
        try folder.makeRepository()
        try folder.writeBlueprint("es", key: 1)
        try edit("# mine\n")
        let words =
            ["regrade", "--add", "es", "es-1", "--content", folder.path + "/content"]
            + ["--release", folder.path + "/release"]
        let noted = try await Tool.run(words)
        #expect(noted.status == 0 && noted.output.contains("Committed as "), "\(noted)")
        let commit = try folder.git("show", "--unified=0", "--format=%s", "HEAD")
        #expect(commit.contains("+    correct: [1]") && commit.contains("question: es-1"))
        #expect(!commit.contains("mine"), "\(commit)")
        let again = try await Tool.run(words)
        #expect(again.status == 0 && !again.output.contains("Committed"), "\(again)")
    }

    @Test func aQuestionThatWasNeverCommittedComesWithItsFile() async throws {
        try folder.git("init", "--quiet")
        try folder.git("config", "user.name", "Ada")
        try folder.git("config", "user.email", "ada@desk")
        let done = try await confirm()
        #expect(done.status == 0 && done.output.contains("Committed as "), "\(done)")
        #expect(try folder.git("show", "HEAD").contains("+  - id: es-1"))
    }

    @Test func aMergeIsNotEndedByTheWay() async throws {
        try folder.makeRepository()
        try folder.git("checkout", "--quiet", "-b", "other")
        try folder.write("other", to: "content/other.txt")
        try folder.git("add", ".")
        try folder.git("commit", "--quiet", "--message", "Other")
        try folder.git("checkout", "--quiet", "-")
        try folder.git("merge", "--quiet", "--no-commit", "--no-ff", "other")
        try edit("# not done yet\n")
        let refused = try await confirm()
        #expect(refused.status != 0 && refused.errors.contains("MERGE_HEAD waits"), "\(refused)")
        #expect(try folder.git("log", "--format=%s") == "Begin\n")
        #expect(try folder.git("diff", "--cached", "--name-only") == "other.txt\n")
    }

    /// The author is who confirms; the committer is whom git knows.
    @Test func gitsOwnUserIsTheCommitter() async throws {
        try folder.makeRepository()
        try folder.git("config", "user.name", "Ada L")
        try folder.git("config", "user.email", "ada@x.org")
        #expect(try await confirm().status == 0)
        #expect(try folder.git("log", "-1", "--format=%cn <%ce>") == "Ada L <ada@x.org>\n")
    }

    /// `umask` is of the process, and would take a group's right away.
    @Test func theFileKeepsItsPermissions() async throws {
        let path = folder.path + "/" + Self.bank
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        #expect(try await confirm().status == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o666)
    }

    private func dismiss() async throws -> Tool.Result {
        try await Tool.run([
            "proposals", "dismiss", "1", "--reason", "It is right.", "--data",
            folder.path + "/users", "--content", folder.path + "/content", "--release",
            folder.path + "/release",
        ])
    }

    /// As in a staged rollout: a proposal stays confirmed until all devices take the release.
    @Test func aDismissalSaysThatAReleaseHasTheKey() async throws {
        #expect(try await confirm("--publish").status == 0)
        let dismissed = try await dismiss()
        #expect(
            dismissed.output.contains(
                "Release 2 has this key already: take both back, and publish again."),
            "\(dismissed)")
        #expect(!dismissed.output.contains("before you publish"), "\(dismissed)")
    }

    @Test func aDismissalTakesNothingBackOfAQuestionThatIsGone() async throws {
        #expect(try await confirm().status == 0)
        let text = try folder.text(Self.bank).replacing("id: es-1", with: "id: es-9")
        try folder.write(text, to: Self.bank)
        try FileManager.default.removeItem(
            atPath: folder.path + "/content/languages/es/corrections.yaml")
        let dismissed = try await dismiss()
        #expect(dismissed.output == "Proposal 1 is dismissed.\n", "\(dismissed)")
    }

    @Test func aDismissalNamesWhatItsConfirmationLeft() async throws {
        #expect(try await confirm().status == 0)
        let dismissed = try await dismiss()
        #expect(dismissed.status == 0, "\(dismissed)")
        #expect(
            dismissed.output.contains(
                "languages/es/blueprint.yaml still has the key \"b\" of its confirmation, and by an entry in languages/es/corrections.yaml earlier answers are graded again. Take both back before you publish."
            ), "\(dismissed)")
    }

    /// Its proposal is open still: the decision was not written.
    @Test func aDismissalNamesWhatAConfirmationLeftThatStopped() async throws {
        try folder.makeRepository()
        let hook = "content/.git/hooks/pre-commit"
        try folder.write("#!/bin/sh\nexit 1\n", to: hook)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: folder.path + "/" + hook)
        #expect(try await confirm().status != 0)
        let dismissed = try await dismiss()
        #expect(dismissed.status == 0, "\(dismissed)")
        #expect(dismissed.output.contains("still has the key \"b\""), "\(dismissed)")
        #expect(dismissed.output.contains("by an entry in languages/es/corrections.yaml"))
    }

    @Test func aDismissalOfWhatNobodyConfirmedNamesNothing() async throws {
        #expect(try await dismiss().output == "Proposal 1 is dismissed.\n")
    }

    private var notes: [String] {
        get throws {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/content").filter {
                $0.hasSuffix("corrections.yaml")
            }
        }
    }

    @Test func earlierAnswersAreGradedAgainUnlessTheDecisionKeptThem() async throws {
        let kept = try await confirm("--no-regrade")
        let before = try notes
        #expect(kept.status == 0 && before.isEmpty, "\(kept)")
        let goesOn = try await confirm("--publish")
        #expect(goesOn.output.contains("Release 2 is out."), "\(goesOn)")
        #expect(try notes == [])
        let later = try await confirm()
        #expect(later.status == 0 && !later.output.contains("not published yet"), "\(later)")
    }

    @Test func aConfirmationNotesItsKeyForEarlierAnswers() async throws {
        let confirmed = try await confirm()
        #expect(confirmed.status == 0 && confirmed.output.contains("It is not published yet."))
        #expect(try notes.count == 1)
        // What the decision noted is not left out by the way.
        let other = try await confirm("--no-regrade", "--publish")
        #expect(other.status == 7 && other.errors.contains("Take the entry out"), "\(other)")
        #expect(try notes.count == 1)
    }

    @Test func aReleaseOfARollbackIsNotCalledPublished() async throws {
        let places = ["--content", folder.path + "/content", "--release", folder.path + "/release"]
        #expect(try await confirm("--publish").status == 0)
        let files = FileManager.default
        try files.copyItem(atPath: places[1], toPath: folder.path + "/kept")
        try folder.writeBlueprint("de", key: 1)
        #expect(try await Tool.run(["publish"] + places).status == 0)
        #expect(try await Tool.run(["rollback", "2"] + places).status == 0)
        try files.removeItem(atPath: places[1])
        try files.moveItem(atPath: folder.path + "/kept", toPath: places[1])
        let again = try await confirm("--publish")
        #expect(again.output.contains("release 4 stays"), "\(again)")
        let audit = try await Tool.run(["audit", "--data", folder.path + "/users"])
        #expect(audit.output.contains("content.published"))
        #expect(!audit.output.contains("content.published  4"), "\(audit)")
        #expect(audit.output.split(separator: "\n").count == 2, "\(audit)")
    }

    @Test func otherChangesArePublishedOnlyWhenAskedFor() async throws {
        try folder.writeBlueprint("de", key: 1)
        let refused = try await confirm("--publish")
        #expect(refused.status == 7, "\(refused)")
        #expect(refused.errors.contains("Proposal 1 is confirmed. It was not published."))
        #expect(refused.errors.contains("Other changes wait as well"))
        let both = try await confirm("--publish", "--publish-all")
        #expect(both.status == 64)
        let all = try await confirm("--publish-all")
        #expect(all.status == 0 && all.output.contains("Release 2 is out."), "\(all)")
        let shipped = try await confirm("--key", "a")
        #expect(shipped.status == 7 && shipped.errors.contains("is confirmed with the key b"))
    }
}

extension TemporaryFolder {
    /// Runs git in the content folder.
    ///
    /// - Returns: Its output.
    @discardableResult
    func git(_ words: String...) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", path + "/content"] + words
        process.standardOutput = output
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    /// Makes a repository of the content folder, with one commit.
    func makeRepository() throws {
        try git("init", "--quiet")
        try git("config", "user.name", "Ada")
        try git("config", "user.email", "ada@desk")
        try git("add", ".")
        try git("commit", "--quiet", "--message", "Begin")
    }
}
