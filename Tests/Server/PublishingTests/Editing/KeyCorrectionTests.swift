import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// The correction of a key in the author's file.
@Suite struct KeyCorrectionTests {
    private let folder: TemporaryFolder
    private let editor: ContentEditor

    private static let questions = """
        # By hand.
        - id: one # the first
          type: single-choice
          difficulty: 1
          stem: Which is it?
          options: [{ id: a, text: it's a }, { id: b, text: "b, #2" }]
          correct: [0] # sure?
        - id: many
          type: multi-choice
          difficulty: 1
          stem: Which are even?
          options: [{ id: a, text: "2" }, { id: b, text: "3" }, { id: c, text: "4" }]
          correct: [0, 1]
        - id: order
          type: ordering
          difficulty: 2
          stem: In which order?
          options: [{ id: a, text: second }, { id: b, text: first }]
          correct: [0, 1]
        - id: number
          type: numeric-entry
          difficulty: 3
          stem: How many?
          number: { value: 9.81, tolerance: 0.01, unit: m/s² } # of the Earth

        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        try folder.write(
            "title: Demo\nversion: \"1.0.0\"\n", to: "content/exams/int/demo/exam.yaml")
        try folder.write(Self.questions, to: Self.file)
        editor = try ContentEditor(folder: folder.path + "/content")
    }

    private static let file = "content/exams/int/demo/questions.yaml"

    private func correction(
        _ question: String, from wrong: String, to right: String
    ) throws -> KeyCorrection {
        try KeyCorrection(in: editor, bank: "int/demo", question: question, from: wrong, to: right)
    }

    private var text: String {
        get throws { try String(contentsOfFile: folder.path + "/" + Self.file, encoding: .utf8) }
    }

    @Test(arguments: [
        ("one", "a", "b", "correct: [0] # sure?", "correct: [1] # sure?"),
        ("many", "a b", "a c", "correct: [0, 1]\n- id: order", "correct: [0, 2]\n- id: order"),
        ("many", "a b", "c a", "correct: [0, 1]\n- id: order", "correct: [0, 2]\n- id: order"),
        ("order", "a b", "b a", "correct: [0, 1]\n- id: number", "correct: [1, 0]\n- id: number"),
        ("number", "9.81:0.01", "9.79", "value: 9.81", "value: 9.79"),
        ("number", "9.81:0.01", "9.805", "value: 9.81", "value: 9.805"),
    ])
    func onlyTheKeyChanges(
        question: String, wrong: String, right: String, before: String, after: String
    ) throws {
        let correction = try correction(question, from: wrong, to: right)
        #expect(correction.errors == [] && !correction.isDone)
        #expect(try text == Self.questions)
        try correction.save()
        #expect(try text == Self.questions.replacing(before, with: after))
        let again = try self.correction(question, from: wrong, to: right)
        #expect(again.isDone)
        try again.save()
        #expect(try text == Self.questions.replacing(before, with: after))
    }

    @Test func aKeyThatChangedMeanwhileIsNotTouched() throws {
        let error = #expect(throws: PublishingError.self) {
            try correction("many", from: "a", to: "c")
        }
        #expect(error?.code == .drift && error?.message.contains("\"a b\"") == true)
    }

    @Test(arguments: [
        ("one", "a", "z"), ("one", "a", "a b"), ("one", "a", ""), ("order", "a b", "b"),
        ("many", "a b", "a a"), ("number", "9.81:0.01", "many"),
    ])
    func aKeyThatTheQuestionCannotHaveIsRefused(question: String, wrong: String, right: String)
        throws
    {
        let error = #expect(throws: PublishingError.self) {
            try correction(question, from: wrong, to: right)
        }
        #expect(error?.code == .invalidRequest)
        #expect(try text == Self.questions)
    }

    @Test func aFileThatChangedSinceItWasReadIsNotReplaced() throws {
        let correction = try correction("one", from: "a", to: "b")
        try folder.write(Self.questions + "# more\n", to: Self.file)
        let error = #expect(throws: PublishingError.self) { try correction.save() }
        #expect(error?.code == .drift)
        #expect(try text == Self.questions + "# more\n")
    }

    // MARK: git

    private func git(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder.path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func theChangeIsCommittedByTheAuthorAlone() throws {
        #expect(ContentRepository(of: folder.path + "/content") == nil)
        _ = try git("init", "--quiet")
        _ = try git("add", ".")
        _ = try git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "-m", "begin")
        try folder.write("staged", to: "content/other.txt")
        _ = try git("add", "content/other.txt")
        let repository = try #require(ContentRepository(of: folder.path + "/content"))
        let correction = try correction("one", from: "a", to: "b")
        try correction.save()
        let author = ContentRepository.Author(name: "Ada\n<x>", email: "ada@desk")
        let name = try repository.commit(
            [correction.file], message: "Correct\n\nWhy.", author: author)
        #expect(name != nil)
        #expect(try git("log", "-1", "--format=%an|%ae|%s|%b") == "Adax|ada@desk|Correct|Why.\n\n")
        #expect(
            try git("show", "--name-only", "--format=", "HEAD")
                == "content/exams/int/demo/questions.yaml\n")
        // What somebody else staged stays so; without a change nothing is committed.
        #expect(try git("diff", "--cached", "--name-only") == "content/other.txt\n")
        #expect(try repository.commit([correction.file], message: "m", author: author) == nil)
    }

    /// A repository with a file of two lines and one besides, and the edit of the file's first line.
    private func edited(
        meanwhile: @escaping @Sendable () -> Void = {}
    ) throws -> (repository: ContentRepository, edit: FileEdit) {
        try folder.write("one\ntwo\n", to: "content/lines.txt")
        try folder.write("besides\n", to: "content/besides.txt")
        _ = try git("init", "--quiet")
        for (key, value) in [("user.name", "A"), ("user.email", "a@b")] {
            _ = try git("config", key, value)
        }
        _ = try git("add", ".")
        _ = try git("commit", "--quiet", "-m", "begin")
        try folder.write("ONE\ntwo\n", to: "content/lines.txt")
        let edit = FileEdit(file: "lines.txt") { bytes in
            meanwhile()
            return Array(String(decoding: bytes, as: UTF8.self).replacing("one", with: "ONE").utf8)
        }
        return (try #require(ContentRepository(of: folder.path + "/content")), edit)
    }

    private let ada = ContentRepository.Author(name: "Ada", email: "ada@desk")

    @Test(arguments: [
        ["commit", "--quiet", "-am", "other"], ["merge", "--no-ff", "--no-commit", "other"],
    ])
    func nobodyCommitsOrMergesWhileChangesAreCommitted(other: [String]) throws {
        let path = folder.path
        let (repository, edit) = try edited {
            // What this process cannot start changes nothing either.
            _ = try? ContentRepository.git(other, in: path)
        }
        _ = try git("branch", "other")
        _ = try git("checkout", "--quiet", "other")
        try folder.write("theirs\n", to: "content/besides.txt")
        _ = try git("commit", "--quiet", "-m", "theirs", "content/besides.txt")
        _ = try git("checkout", "--quiet", "-")
        try folder.write("mine\n", to: "content/besides.txt")
        #expect(try repository.commit([edit], message: "edit", author: ada) != nil)
        #expect(try git("log", "--format=%s") == "edit\nbegin\n")
        #expect(
            try git("show", "--name-only", "--format=%p", "HEAD").hasSuffix(
                "\n\ncontent/lines.txt\n"))
        #expect(try folder.read("content/besides.txt") == Array("mine\n".utf8))
        #expect(!folder.exists(".git/index.lock"))
        #expect(try git("status", "--porcelain") == " M content/besides.txt\n")
    }

    @Test(arguments: [false, true])
    func anotherCommandAtWorkIsSaid(isOwn: Bool) throws {
        let (repository, edit) = try edited()
        // Our own, of a process that lives, or git's.
        let own = try isOwn ? RepositoryIndex(of: repository) : nil
        if own == nil { try folder.write("", to: ".git/index.lock") }
        let error = #expect(throws: PublishingError.self) {
            try repository.commit([edit], message: "edit", author: ada)
        }
        #expect(error?.message.contains("another git command is at work") == true)
        #expect(folder.exists(".git/index.lock"))
        #expect(try git("log", "--format=%s") == "begin\n")
        own?.release()
        #expect(folder.exists(".git/index.lock") == !isOwn)
    }

    /// A stash that does not fit leaves three versions of a file in the index.
    @Test func aFileInSeveralVersionsIsLeftToItsAuthor() throws {
        let (repository, edit) = try edited()
        try folder.write("one\nTWO\n", to: "content/lines.txt")
        _ = try git("stash", "--quiet")
        try folder.write("one\n2\n", to: "content/lines.txt")
        _ = try git("commit", "--quiet", "-am", "two")
        _ = try git("stash", "pop", "--quiet")
        let versions = try git("ls-files", "--unmerged")
        #expect(versions.split(separator: "\n").count == 3)
        try folder.write("ONE\nTWO\n", to: "content/lines.txt")
        #expect(try repository.commit([edit], message: "edit", author: ada) != nil)
        #expect(try git("show", "HEAD:content/lines.txt") == "ONE\n2\n")
        #expect(try git("ls-files", "--unmerged") == versions)
    }

    /// Else a repository with many large files could confirm nothing within git's seconds.
    @Test func otherFilesAreNotReadAgain() throws {
        let (repository, edit) = try edited()
        try folder.write("*.bin filter=counted\n", to: ".gitattributes")
        _ = try git("config", "filter.counted.clean", "echo x >> '\(folder.path)/reads'; cat")
        for number in 0..<20 {
            let file = "content/\(number).bin"
            try folder.write("\(number)", to: file)
            // Git reads again what changed in the moment of its last look.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
                ofItemAtPath: folder.path + "/" + file)
        }
        _ = try git("add", ".gitattributes", "content/*.bin")
        _ = try git("commit", "--quiet", "-m", "many")
        try folder.write("", to: "reads")
        #expect(try repository.commit([edit], message: "edit", author: ada) != nil)
        #expect(try folder.read("reads").isEmpty)
    }

    @Test func aFolderThatItsRepositoryIgnoresIsInNone() throws {
        _ = try git("init", "--quiet")
        #expect(ContentRepository(of: folder.path + "/content") != nil)
        try folder.write("content\n", to: ".gitignore")
        #expect(ContentRepository(of: folder.path + "/content") == nil)
        // What is tracked already is committed all the same.
        _ = try git("add", "--force", "content")
        #expect(ContentRepository(of: folder.path + "/content") != nil)
    }

    @Test func aRepositoryThatGitRefusesIsNotTakenForNone() throws {
        _ = try git("init", "--quiet")
        try folder.write("[core\n", to: ".git/config")
        let repository = try #require(ContentRepository(of: folder.path + "/content"))
        let error = #expect(throws: PublishingError.self) {
            _ = try repository.commit(
                [Self.file], message: "m", author: .init(name: "Ada", email: "ada@desk"))
        }
        #expect(error?.message.contains("bad config line 1") == true)
    }

    /// A desk runs it for months.
    @Test func gitLeavesNoFileOpen() throws {
        for _ in 0..<5 { _ = try ContentRepository.git(["version"], in: folder.path) }
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }
        // Each is closed before it is removed, here and in the tests beside this one.
        #expect(open.filter { $0.contains("underway-git-") && $0.hasSuffix("(deleted)") } == [])
    }

    @Test func gitThatDoesNotEndIsEnded() throws {
        let start = ContinuousClock.now
        let answer = try ContentRepository.git(
            ["-c", "alias.wait=!exec sleep 20", "wait"], in: folder.path, secondsMax: 1)
        #expect(answer.status != 0 && answer.errors.contains("took more than 1 s"))
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    /// A hook or a signing agent leaves one, which has git's descriptors.
    @Test func gitIsNotWaitedForBeyondItsEnd() throws {
        let answer = try ContentRepository.git(
            ["-c", "alias.leave=!sleep 60 & echo $!", "leave"], in: folder.path, secondsMax: 30)
        let left = try #require(pid_t(answer.output.trimmingCharacters(in: .newlines)))
        // It runs still: git alone was waited for.
        #expect(kill(left, SIGKILL) == 0)
        #expect(answer.status == 0 && answer.errors.isEmpty)
    }
}
