package import ContentModel

/// An entry for a bank's `corrections.yaml`, by which answers to versions with a wrong key are regraded.
///
/// ```swift
/// let note = try CorrectionNote(
///     in: editor, bank: "int/swift", of: question, from: "b",
///     RegradeScope(releaseDirectory: "release", day: "2026-05-03"))
/// try note.save()
/// ```
package struct CorrectionNote: Sendable {
    /// The file, relative to the content folder.
    package let file: String
    /// The correction; `nil` if there is nothing to append.
    package let correction: GradeCorrection?
    /// The unknown or omitted versions, for people; `nil` if every version with the wrong key is named.
    package let limit: String?

    /// The changes of saving, to be committed, including a key that was changed before.
    package private(set) var edits: [FileEdit] = []

    private let editor: ContentEditor
    private let before: [UInt8]?
    private let bytes: [UInt8]

    /// Returns true if a bank's file already contains a correction of a question to a key.
    ///
    /// - Throws: `PublishingError` `contentErrors` for an unreadable file, `unreadable`.
    package static func isThere(
        _ key: String, of question: String, in bank: String, _ editor: ContentEditor
    ) throws -> Bool {
        let file = CorrectionsFile.path(of: bank)
        let path = editor.folder + "/" + file
        guard Files.look(path) != nil else { return false }
        let bytes = try Files.read(path, limit: ContentLimits.documentBytesMax)
        return try CorrectionsText(bytes, file: file).corrections.contains {
            $0.question == question && $0.is == key
        }
    }

    /// Prepares an entry, and writes nothing.
    ///
    /// It names the released versions with the same question and the wrong key, explicitly named versions, and versions
    /// that an earlier correction graded by this key. It omits versions that the file already corrects to the right
    /// key.
    /// - Parameters:
    ///   - editor: The content folder.
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - question: The question with its right key.
    ///   - wrong: The wrong key, in the form of `Question.keyLabel`.
    ///   - regrading: The sources of versions.
    ///   - history: The versions in the retained releases; `nil` to read them.
    /// - Throws: `PublishingError` `contentErrors` for an unreadable file of corrections, `invalidRequest` for one
    ///   that cannot be appended to, `unreadable`.
    package init(
        in editor: ContentEditor, bank: String, of question: Question, from wrong: String,
        _ regrading: RegradeScope, history: KeyHistory? = nil
    ) throws {
        self.editor = editor
        file = CorrectionsFile.path(of: bank)
        let path = editor.folder + "/" + file
        before =
            Files.look(path) == nil
            ? nil : try Files.read(path, limit: ContentLimits.documentBytesMax)
        let text = try CorrectionsText(before ?? [], file: file)
        let history =
            history
            ?? KeyHistory(
                of: question.id, in: bank, releaseDirectory: regrading.releaseDirectory)
        limit = Self.limit(history, wrong)
        let known = text.corrections.filter { $0.question == question.id }
        let candidates =
            regrading.versions + history.versions(with: wrong)
            + known.filter { $0.is == wrong }.flatMap(\.versions)
        var versions: [String] = []
        for version in candidates where Checksum(version) != nil {
            let last = known.last { $0.versions.contains(version) }
            if last?.is != question.keyLabel, !versions.contains(version) {
                versions.append(version)
            }
        }
        let noted = known.filter { $0.is == question.keyLabel }
        guard !versions.isEmpty, wrong != question.keyLabel else {
            (correction, bytes) = (nil, [])
            edits = Self.edits(noted, file)
            return
        }
        let correction = GradeCorrection(
            question: question.id,
            versions: Array(versions.prefix(ContentLimits.correctedVersionsMax)), was: wrong,
            is: question.keyLabel, day: regrading.day)
        bytes = try text.appending(correction)
        self.correction = correction
        edits = Self.edits(noted + [correction], file)
    }

    /// Returns what appends those of some entries that a state of the file has not.
    private static func edits(_ entries: [GradeCorrection], _ file: String) -> [FileEdit] {
        if entries.isEmpty { return [] }
        return [
            FileEdit(file: file) { bytes in
                try? entries.reduce(bytes) { bytes, entry in
                    let text = try CorrectionsText(bytes, file: file)
                    return text.corrections.contains(entry) ? bytes : try text.appending(entry)
                }
            }
        ]
    }

    private static func limit(_ history: KeyHistory, _ wrong: String) -> String? {
        var parts: [String] = []
        let others = history.otherVersionCount(with: wrong)
        if others > 0 {
            parts.append(
                others == 1
                    ? "An earlier version had this key, too, but another text: answers to it keep their grade."
                    : "\(others) earlier versions had this key, too, but other texts: answers to them keep their grade."
            )
        }
        if let release = history.unread {
            parts.append(
                "Release \(release) cannot be read, so that versions before it are not named.")
        } else if history.isCut(with: wrong) {
            parts.append(
                "Answers to versions that only older releases had, which are no longer kept, keep their grade."
            )
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// Appends the entry to the file, or creates the file; does nothing without an entry.
    ///
    /// - Throws: `PublishingError` `drift` if the file changed since it was read, `busy` (retry), `unwritable`. The
    ///   file is then unchanged.
    package func save() throws {
        guard correction != nil else { return }
        try editor.save(bytes, to: file, before: before.map { Checksum(of: $0) })
    }
}

/// The sources of versions whose answers are regraded.
package struct RegradeScope: Sendable, Hashable {
    /// The release directory, whose retained releases are searched; a missing directory has none.
    package var releaseDirectory: String
    /// Additional versions, such as that of a proposal.
    package var versions: [String]
    /// The day of the correction, such as `2026-05-03`.
    package var day: String?

    /// Creates a scope of sources.
    package init(releaseDirectory: String, versions: [String] = [], day: String? = nil) {
        self.releaseDirectory = releaseDirectory
        self.versions = versions
        self.day = day
    }
}

extension CorrectionNote {
    /// The effect of the note, for people; `nil` without an entry.
    package var sentence: String? {
        guard let correction else { return nil }
        let count = correction.versions.count
        return
            "\(file): answers to \(count == 1 ? "a released version" : "\(count) released versions") of"
            + " \(correction.question) are graded again by \"\(correction.is)\"."
            + (limit.map { " " + $0 } ?? "")
    }
}

extension CorrectionNote {
    /// Prepares the entry for a key that was changed before.
    ///
    /// - Parameters:
    ///   - id: The question's id; its current key is the right one.
    ///   - editor: The content folder.
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - regrading: The sources of versions.
    ///   - wrong: The wrong key; `nil` for the last key that was released before the current one.
    ///   - history: The versions in the retained releases; `nil` to read them.
    /// - Throws: `PublishingError` `noSuchContent`, `noSuchRelease` if no retained release has another key, and the
    ///   errors of a correction.
    package init(
        adding id: String, in editor: ContentEditor, bank: String, _ regrading: RegradeScope,
        from wrong: String? = nil, history: KeyHistory? = nil
    ) throws {
        let part = try editor.read(.question(id: id, bank: bank))
        let (question, _) = try KeyCorrection.question(part)
        let history =
            history
            ?? KeyHistory(of: id, in: bank, releaseDirectory: regrading.releaseDirectory)
        guard let former = wrong ?? history.key(before: question.keyLabel) else {
            throw PublishingError(
                .noSuchRelease,
                "No kept release in \(regrading.releaseDirectory) has \(id) of \(bank) with another key than"
                    + " \"\(question.keyLabel)\". Nothing is to be graded again.")
        }
        if history.all.first(where: { $0.key == former })?.asked.asksOtherwise(of: question) == true
        {
            throw PublishingError(
                .invalidRequest,
                "Options of \(id) in \(bank) have other texts than when its key was \"\(former)\", so that key says nothing"
                    + " about them. Nothing was changed: answers given before keep their grade.")
        }
        try self.init(
            in: editor, bank: bank, of: question, from: former, regrading, history: history)
        // A note without its key would be a lie to whoever publishes the commit.
        if !edits.isEmpty {
            edits.append(
                KeyCorrection.edit(
                    id, of: bank, from: former, to: question.keyLabel, in: part.file))
        }
    }
}

extension CorrectionNote {
    /// The note as JSON, without a correction if there is nothing to append.
    package var json: JSONValue {
        .compact(["file": .string(file), "correction": correction?.json])
    }
}
