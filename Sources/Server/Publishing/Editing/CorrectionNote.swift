package import ContentModel

/// An entry that is appended to a bank's `corrections.yaml`: answers to versions with a wrong key are graded again.
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
    /// The correction; `nil` when there is nothing to append.
    package let correction: GradeCorrection?
    /// What is not known, or left out, for people; `nil` when every version with the wrong key is named.
    package let limit: String?

    /// What saving changes, and for a key that was changed already that key too, to be committed.
    package private(set) var edits: [FileEdit] = []

    private let editor: ContentEditor
    private let before: [UInt8]?
    private let bytes: [UInt8]

    /// Returns true when a bank's file says already that answers to a question are graded again by a key.
    ///
    /// - Throws: `PublishingError` `contentErrors` for a file that cannot be read, `unreadable`.
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
    /// It names the released versions that asked the same with the wrong key, those that are named besides, and those that
    /// an earlier correction of the question graded by this key; not those that the file corrects so already.
    /// - Parameters:
    ///   - editor: The content folder.
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - question: The question with its right key.
    ///   - wrong: The wrong key, as `Question.keyLabel` names it.
    ///   - regrading: Where the versions are.
    ///   - history: The versions in the kept releases; `nil` to read them.
    /// - Throws: `PublishingError` `contentErrors` for a file of corrections that cannot be read, `invalidRequest` for
    ///   one that cannot be appended to, `unreadable`.
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

    /// Appends the entry to the file, which is made if there is none; nothing when there is no entry.
    ///
    /// - Throws: `PublishingError` `drift` when the file changed since it was read, `busy`, `unwritable`. The file stays
    ///   as it was then.
    package func save() throws {
        guard correction != nil else { return }
        try editor.save(bytes, to: file, before: before.map { Checksum(of: $0) })
    }
}

/// Where the versions are whose answers are graded again.
package struct RegradeScope: Sendable, Hashable {
    /// The release directory, whose kept releases are looked through; one that does not exist has none.
    package var releaseDirectory: String
    /// Versions that are known besides, as that of a proposal.
    package var versions: [String]
    /// The day of the correction, as `2026-05-03`.
    package var day: String?

    /// Names the places.
    package init(releaseDirectory: String, versions: [String] = [], day: String? = nil) {
        self.releaseDirectory = releaseDirectory
        self.versions = versions
        self.day = day
    }
}

extension CorrectionNote {
    /// What the note does, for people; `nil` where it says nothing.
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
    /// Prepares the entry for a key that was changed already.
    ///
    /// - Parameters:
    ///   - id: The question's id, whose present key is the right one.
    ///   - editor: The content folder.
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - regrading: Where the versions are.
    ///   - wrong: The wrong key; `nil` for the last one that was released before the present.
    ///   - history: The versions in the kept releases; `nil` to read them.
    /// - Throws: `PublishingError` `noSuchContent`, `noSuchRelease` when no kept release has another key, and as for a
    ///   correction.
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
    /// The note as JSON; without a correction when there is nothing to append.
    package var json: JSONValue {
        .compact(["file": .string(file), "correction": correction?.json])
    }
}
