import ContentModel
import Foundation

/// A change of a file that is made of any state of it, so that it is committed without what else somebody edits there.
package struct FileEdit: Sendable {
    /// The file, relative to the content folder.
    package let file: String
    /// Takes the bytes, none for a file that does not exist, and returns them with the change; `nil` where it does not fit.
    let apply: @Sendable (_ bytes: [UInt8]) -> [UInt8]?
}

extension ContentRepository {
    /// Commits changes, and nothing else of their files: what else differs from the last commit stays as it is.
    ///
    /// Where the last commit has not what a change is about, as a question that was not committed yet, the present state of
    /// all files is committed.
    /// - Parameters:
    ///   - edits: The changes, which the content folder has.
    ///   - message: The message, whose first line is its subject.
    ///   - author: The author; the committer is the user whom git knows, else the author too.
    /// - Returns: The short name of the commit; `nil` when the last commit has the changes.
    /// - Throws: `PublishingError` `unwritable` with git's own words; the files stay as they are.
    package func commit(
        _ edits: [FileEdit], message: String, author: Author
    ) throws -> String? {
        // Without names of files git would end a merge with this commit; with them it refuses.
        guard !isMerging else {
            return try commit(edits.map(\.file), message: message, author: author)
        }
        let work = FileManager.default.temporaryDirectory
            .appending(path: "underway-git-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: work, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: work) }
        let index = work.appending(path: "index").path
        // One without any commit has no tree.
        _ = try? run(["read-tree", "HEAD"], index: index)
        var isChanged = false
        // The index first: whoever holds it stops this before anything is committed.
        for place in [nil, index] {
            for (number, edit) in edits.enumerated() {
                let before = content(of: edit.file, in: place)
                guard let after = edit.apply(before ?? []) else {
                    return try commit(edits.map(\.file), message: message, author: author)
                }
                if after == before ?? [] { continue }
                let blob = work.appending(path: "\(number)")
                try Data(after).write(to: blob)
                try stage(blob.path, as: edit.file, in: place)
                isChanged = isChanged || place == index
            }
        }
        guard isChanged else { return nil }
        return try commit(author, message, index: index)
    }

    private var isMerging: Bool {
        ["MERGE_HEAD", "CHERRY_PICK_HEAD"].contains { name in
            (try? Self.git(["rev-parse", "--quiet", "--verify", name], in: folder))?.status == 0
        }
    }

    /// Reads a file as an index has it; `nil` when it is not there.
    private func content(of file: String, in index: String?) -> [UInt8]? {
        let answer = try? Self.git(
            ["show", ":./\(file)"], in: folder, index: index,
            bytesMax: ContentLimits.documentBytesMax)
        return answer?.status == 0 ? answer.map { Array($0.output.utf8) } : nil
    }

    /// Puts bytes into an index as those of a file.
    private func stage(_ bytes: String, as file: String, in index: String?) throws {
        func word(_ arguments: [String]) throws -> String {
            try run(arguments, index: index).trimmingCharacters(in: .newlines)
        }
        let mode = try word(["ls-files", "--stage", "--", file]).prefix(6)
        let blob = try word(["hash-object", "-w", "--no-filters", "--", bytes])
        let path = try word(["rev-parse", "--show-prefix"]) + file
        try run(
            [
                "update-index", "--add", "--cacheinfo",
                "\(mode.isEmpty ? "100644" : mode),\(blob),\(path)",
            ], index: index)
    }
}
