package import ContentModel
import Foundation

extension ContentRepository {
    /// A commit that changed a question.
    package struct Change: Sendable, Hashable {
        /// The short name of the commit.
        package var commit: String
        /// The name of its author.
        package var author: String
        /// The time in seconds since 1970.
        package var seconds: Int64
        /// The first line of its message.
        package var subject: String
    }

    /// The name of a commit from a request.
    package struct CommitName: Sendable, Hashable {
        /// The name: 4 to 40 hexadecimal digits.
        package let text: String

        /// Parses a name; `nil` for anything else, such as an option of git.
        package init?(_ text: String) {
            guard text.wholeMatch(of: /[0-9a-f]{4,40}/) != nil else { return nil }
            self.text = text
        }
    }

    /// Returns the commits that changed lines of a file, the newest first.
    ///
    /// - Parameters:
    ///   - lines: The first line, and the last one; `nil` for the end of the file.
    ///   - file: The file, relative to the content folder.
    ///   - limit: The maximum number of commits.
    /// - Returns: The commits; none while the file has uncommitted changes, since its line numbers then differ.
    package func changes(of lines: (first: Int, last: Int?), in file: String, limit: Int)
        -> [Change]
    {
        let clean = try? Self.git(["diff", "--quiet", "HEAD", "--", file], in: folder)
        guard clean?.status == 0 else { return [] }
        let range = "\(lines.first),\(lines.last.map(String.init) ?? ""):\(file)"
        let answer = try? Self.git(
            [
                "log", "-L", range, "--no-patch", "--max-count", String(limit),
                "--format=%h%x1f%an%x1f%at%x1f%s",
            ], in: folder)
        guard let answer, answer.status == 0 else { return [] }
        return answer.output.split(separator: "\n").compactMap { line in
            let parts = line.split(
                separator: "\u{1F}", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, let seconds = Int64(parts[2]) else { return nil }
            return Change(
                commit: String(parts[0]), author: String(parts[1]), seconds: seconds,
                subject: String(parts[3].prefix(200)))
        }
    }

    /// Returns a question of a commit.
    ///
    /// - Parameters:
    ///   - id: The question's id.
    ///   - file: The file, relative to the content folder.
    ///   - commit: The commit.
    /// - Returns: The question; `nil` if the commit's file has no such question.
    package func question(_ id: String, of file: String, at commit: CommitName) -> JSONValue? {
        let answer = try? Self.git(
            ["show", "\(commit.text):./\(file)"], in: folder,
            bytesMax: ContentLimits.documentBytesMax)
        guard let answer, answer.status == 0 else { return nil }
        return ContentEditor.question(id, inText: Array(answer.output.utf8), file: file)
    }
}
