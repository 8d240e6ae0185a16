import ContentModel
import Foundation
import HTTPTypes
import Publishing

/// The saving of one part of the content folder for somebody at the desk.
struct FolderEdit: Sendable {
    /// The outcome of a change.
    enum Outcome: Sendable {
        /// The change is saved; the problems are those of the file after it.
        case saved(file: String, problems: [Problem])
        /// The file already has the change.
        case unchanged(file: String)
        /// Another user changed the file since it was shown; nothing was written.
        case conflict(ContentPart)
    }

    let options: DeskOptions
    /// The author of the change.
    let name: String

    /// Reads a part, and its problems with the file's places.
    ///
    /// - Throws: `PublishingError`.
    static func read(
        _ name: ContentPartName, _ options: DeskOptions
    ) throws -> (part: ContentPart, problems: [Problem], places: DocumentPlaces?) {
        let editor = try ContentEditor(folder: options.content)
        let part = try editor.read(name)
        // The check without a change: the bytes are those that the file has.
        let unchanged = part.replaced(byFile: part.fileBytes)
        let problems = try editor.check(unchanged).filter { $0.file == part.file }
        return (part, problems, places(part.fileBytes, part.file))
    }

    static func places(_ bytes: [UInt8], _ file: String) -> DocumentPlaces? {
        let report = DecodingReport(file: file, strictness: .authored)
        return SourceDocument.parse(bytes, report: report).map(DocumentPlaces.init)
    }

    /// Saves a part, unless somebody else changed its file since it was shown.
    ///
    /// - Parameters:
    ///   - part: The name of the part.
    ///   - shown: The checksum of the file as it was shown, in digits.
    ///   - subject: The first line of the commit's message.
    ///   - edit: The change.
    /// - Returns: What became of it.
    /// - Throws: `PublishingError`, or what the change throws; nothing was written then.
    func save(
        _ part: ContentPartName, shown: String?, subject: String,
        _ edit: (JSONValue) throws -> JSONValue
    ) throws -> Outcome {
        let editor = try ContentEditor(folder: options.content)
        let present = try editor.read(part)
        guard let value = present.value else {
            throw DeskProblem(
                status: .conflict,
                text: "\(present.file) is no document. Replace the file in the content folder.")
        }
        guard Checksum(of: present.fileBytes).hex == shown else { return .conflict(present) }
        let change = try present.replaced(by: try edit(value))
        guard change.bytes != present.fileBytes else { return .unchanged(file: present.file) }
        do {
            try editor.save(change)
        } catch let error as PublishingError where error.code == .drift {
            return .conflict(try editor.read(part))
        }
        try commit([present.file], subject)
        let problems = try editor.check(change).filter { $0.file == present.file }
        return .saved(file: present.file, problems: problems)
    }

    /// Commits files where the folder is in a git repository.
    ///
    /// - Throws: `PublishingError` `unwritable`, which says that the files are saved.
    func commit(_ files: [String], _ subject: String) throws {
        guard let repository = ContentRepository(of: options.content) else { return }
        _ = try repository.commit(
            files, message: subject, author: .init(name: name, email: name))
    }
}

extension FolderEdit.Outcome {
    /// The result as a sentence; `nil` for a conflict.
    var sentence: String? {
        switch self {
        case .conflict: return nil
        case .unchanged(let file): return "\(file) has this already."
        case .saved(let file, let problems):
            let errors = ProblemSummary(problems).errors
            let words = EditView.count(errors, "error")
            return "Saved in \(file)."
                + (words.map { " \($0) stop\(errors == 1 ? "s" : "") publishing." } ?? "")
        }
    }
}
