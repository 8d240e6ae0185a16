import ContentModel
import Foundation

/// A change that applies to any state of a file, so that it is committed without other uncommitted edits of the file.
package struct FileEdit: Sendable {
    /// The file, relative to the content folder.
    package let file: String
    /// Takes the bytes, none for a file that does not exist, and returns them with the change; `nil` where it does not fit.
    let apply: @Sendable (_ bytes: [UInt8]) -> [UInt8]?
}

extension ContentRepository {
    /// Commits changes without other uncommitted edits of their files.
    ///
    /// The current state of all files is committed if the last commit lacks the base of a change, such as a question
    /// that was never committed.
    /// - Parameters:
    ///   - edits: The changes, which the content folder contains.
    ///   - message: The message, whose first line is its subject.
    ///   - author: The author; the committer is the configured user of git, otherwise the author.
    /// - Returns: The short name of the commit; `nil` if the last commit contains the changes.
    /// - Throws: `PublishingError` `unwritable` with git's message; the files are unchanged then.
    package func commit(
        _ edits: [FileEdit], message: String, author: Author
    ) throws -> String? {
        let work = FileManager.default.temporaryDirectory
            .appending(path: "underway-git-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: work, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: work) }
        switch try commit(edits, message, author, in: work) {
        case .made(let name): return name
        case .impossible: return try commit(edits.map(\.file), message: message, author: author)
        }
    }

    /// The outcome of a commit of changes only.
    private enum Result {
        case made(String?)
        case impossible
    }

    /// Commits changes while nobody else can commit.
    private func commit(
        _ edits: [FileEdit], _ message: String, _ author: Author, in work: URL
    ) throws -> Result {
        let index = try RepositoryIndex(of: self)
        defer { index.release() }
        try checkNothingWaits()
        let (staged, committed) = (
            work.appending(path: "index").path, work.appending(path: "commit").path
        )
        try index.copy(to: staged)
        try index.copy(to: committed)
        if try isThere("HEAD") {
            try run(["read-tree", "--reset", "HEAD"], index: committed)
        } else {
            Files.remove(committed)
        }
        guard let stages = try apply(edits, to: staged, work),
            let changes = try apply(edits, to: committed, work)
        else { return .impossible }
        // Before the commit: else a kill between the two would leave the opposite of the change staged.
        if stages { try index.replace(by: staged) }
        return .made(changes ? try commit(author, message, index: committed) : nil)
    }

    /// Applies changes to the files of an index, but for those that it has in several versions.
    ///
    /// - Returns: Whether it changed; `nil` when a change does not fit.
    private func apply(_ edits: [FileEdit], to index: String, _ work: URL) throws -> Bool? {
        var isChanged = false
        for edit in edits {
            let entry = try IndexEntry(
                run(["ls-files", "--stage", "-z", "--", edit.file], index: index))
            if entry == .unmerged { continue }
            let before = try entry.blob.map(bytes(of:)) ?? []
            guard let before, let after = edit.apply(before) else { return nil }
            if after == before { continue }
            try stage(after, as: edit.file, entry.mode, in: index, work)
            isChanged = true
        }
        return isChanged
    }

    /// Refuses while a merge or the like waits for its commit, which this one would end.
    private func checkNothingWaits() throws {
        for name in ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD"] where try isThere(name) {
            throw PublishingError(
                .unwritable,
                "git could not commit the change of \(folder), which is saved: \(name) waits for its commit. End that by"
                    + " `git commit` or give it up, and repeat this.")
        }
    }

    private func isThere(_ reference: String) throws -> Bool {
        try answer(["rev-parse", "--quiet", "--verify", reference], allowing: [0, 1]).status == 0
    }

    /// Reads a stored file; `nil` for one that is longer than a document may be.
    private func bytes(of blob: String) throws -> [UInt8]? {
        let limit = ContentLimits.documentBytesMax
        let bytes = try answer(["cat-file", "blob", blob], bytesMax: limit + 1).bytes
        return bytes.count > limit ? nil : Array(bytes)
    }

    /// Puts bytes into an index as those of a file.
    private func stage(
        _ bytes: [UInt8], as file: String, _ mode: String, in index: String, _ work: URL
    ) throws {
        let content = work.appending(path: "content")
        try Data(bytes).write(to: content)
        func word(_ arguments: [String]) throws -> String {
            try run(arguments, index: index).trimmingCharacters(in: .newlines)
        }
        let blob = try word(["hash-object", "-w", "--no-filters", "--", content.path])
        let path = try word(["rev-parse", "--show-prefix"]) + file
        try run(["update-index", "--add", "--cacheinfo", "\(mode),\(blob),\(path)"], index: index)
    }
}

/// A file in an index.
private enum IndexEntry: Equatable {
    case absent
    case unmerged
    case file(mode: String, blob: String)

    /// Reads what `git ls-files --stage -z` says of one file: mode, name of the object, stage and path.
    init(_ text: String) {
        let lines = text.split(separator: "\0")
        let words = lines.first?.split(whereSeparator: \.isWhitespace) ?? []
        switch (lines.count, words.count > 2 ? words[2] : "") {
        case (0, _): self = .absent
        case (1, "0"): self = .file(mode: String(words[0]), blob: String(words[1]))
        default: self = .unmerged
        }
    }

    var blob: String? {
        guard case .file(_, let blob) = self else { return nil }
        return blob
    }

    var mode: String {
        guard case .file(let mode, _) = self else { return "100644" }
        return mode
    }
}
