package import ContentModel

/// The correction of one question's key in the author's file; all its other bytes stay unchanged.
///
/// It includes a note in the bank's `corrections.yaml`, by which answers to the versions with the wrong key are
/// regraded.
///
/// ```swift
/// let correction = try KeyCorrection(
///     in: ContentEditor(folder: "content"), bank: "int/swift", question: "swift-001", from: "b",
///     to: "a", regrading: RegradeScope(releaseDirectory: "release", day: "2026-05-03"))
/// try correction.save()
/// ```
package struct KeyCorrection: Sendable {
    /// The file, relative to the content folder.
    package let file: String
    /// The question with the right key.
    package let question: Question
    /// The checker's errors in the changed file; empty if it can be saved.
    package let errors: [Problem]
    /// True when the file already has the right key and there is nothing to save.
    package let isDone: Bool
    /// The note of the correction; `nil` for a key that changes because the world did.
    package let note: CorrectionNote?

    private let bank: String
    private let wrong: String
    private let editor: ContentEditor
    private let change: ContentChange?

    /// Prepares a correction, and checks the resulting file.
    ///
    /// It writes nothing.
    /// - Parameters:
    ///   - editor: The content folder.
    ///   - bank: The bank: a language, or a region and an exam separated by a slash.
    ///   - id: The question's id.
    ///   - wrong: The required current key of the file, in the form of `Question.keyLabel`.
    ///   - right: The right key.
    ///   - regrading: The sources of versions whose answers are regraded; `nil` for none, as for a key that was right
    ///     until the world changed.
    /// - Throws: `PublishingError` `noSuchContent`, `contentErrors` for an unreadable file, `drift` if it has a third
    ///   key, `invalidRequest` for a key that is invalid for the question.
    package init(
        in editor: ContentEditor, bank: String, question id: String, from wrong: String,
        to right: String, regrading: RegradeScope? = nil
    ) throws {
        let part = try editor.read(.question(id: id, bank: bank))
        let (present, value) = try Self.question(part)
        let corrected = try Self.corrected(present, right, part.file)
        (self.editor, self.bank, self.wrong) = (editor, bank, wrong)
        file = part.file
        note = try regrading.map { regrading in
            let history = KeyHistory(
                of: id, in: bank, releaseDirectory: regrading.releaseDirectory)
            let flagged = history.all.first { regrading.versions.contains($0.version) }
            try Self.checkSameOptions(corrected, as: flagged?.asked, part.file)
            return try CorrectionNote(
                in: editor, bank: bank, of: corrected, from: wrong, regrading, history: history)
        }
        if present.hasKey(right) {
            (question, errors, isDone, change) = (present, [], true, nil)
            return
        }
        guard present.keyLabel == wrong else {
            throw PublishingError(
                .drift,
                "The key of \(id) in \(part.file) is now \"\(present.keyLabel)\", and the proposal is about"
                    + " \"\(wrong)\". Nothing was changed. Look at the question again.")
        }
        let change = try Self.change(part, value, to: corrected)
        self.change = change
        question = corrected
        isDone = false
        errors = try editor.check(change).filter { $0.rule.severity == .error }
    }

    private static func corrected(
        _ present: Question, _ right: String, _ file: String
    ) throws -> Question {
        guard let corrected = present.withKey(right) else {
            throw PublishingError(
                .invalidRequest,
                "The question \(present.id) in \(file) cannot have the key \"\(right)\". Name "
                    + (present.correctNumber == nil
                        ? "its options by their ids, separated by spaces."
                        : "a number, as 9.81 or 9.81:0.01."))
        }
        return corrected
    }

    /// Returns the change that gives a question of a file its corrected key.
    private static func change(
        _ part: ContentPart, _ value: JSONValue, to corrected: Question
    ) throws -> ContentChange {
        let member = corrected.correctNumber == nil ? "correct" : "number"
        guard case .object(var members) = value, case .object(let new) = corrected.json else {
            throw PublishingError(.invalidRequest, "\(part.file) cannot be edited.")
        }
        members[member] = merged(members[member], new[member])
        return try part.replaced(by: .object(members))
    }

    /// Returns the change of a key in any state of its file that has the question with the wrong key.
    static func edit(
        _ id: String, of bank: String, from wrong: String, to right: String, in file: String
    ) -> FileEdit {
        FileEdit(file: file) { bytes in
            guard let part = ContentEditor.question(id, of: bank, inText: bytes, file: file),
                let (present, value) = try? question(part)
            else { return nil }
            if present.hasKey(right) { return bytes }
            guard present.keyLabel == wrong,
                let corrected = try? corrected(present, right, file)
            else { return nil }
            return try? change(part, value, to: corrected).bytes
        }
    }

    /// Refuses a question whose options were exchanged since the flagged version: the same letter is another answer now.
    private static func checkSameOptions(
        _ corrected: Question, as flagged: Question?, _ file: String
    ) throws {
        guard let flagged, flagged.asksOtherwise(of: corrected) else { return }
        throw PublishingError(
            .drift,
            "The options of \(corrected.id) in \(file) are not those that learners answered, so the proposal does not"
                + " apply. Nothing was changed. Correct the key by hand, or publish the question first."
        )
    }

    /// Writes the key as the author does: of a number only what differs, and without quotation marks where it had none.
    private static func merged(_ old: JSONValue?, _ new: JSONValue?) -> JSONValue? {
        guard case .object(let before)? = old, case .object(let after)? = new else { return new }
        return .object(
            after.reduce(into: [:]) { members, member in
                let (name, value) = member
                let written = before[name]
                guard let number = number(value) else { return members[name] = value }
                if written.flatMap(Self.number) == number { return members[name] = written }
                if case .string? = written { return members[name] = value }
                let plain = Double(number.description).map { JSONValue.decimal($0) }
                members[name] = plain.flatMap { Self.number($0) == number ? $0 : nil } ?? value
            })
    }

    private static func number(_ value: JSONValue) -> DecimalNumber? {
        switch value {
        case .string(let text): DecimalNumber(text)
        case .integer(let number): DecimalNumber("\(number)")
        case .decimal(let number): DecimalNumber("\(number)")
        default: nil
        }
    }

    static func question(_ part: ContentPart) throws -> (Question, JSONValue) {
        let report = DecodingReport(file: part.file, strictness: .authored)
        guard let value = part.value,
            let node = try? JSONParser.parse(value.canonicalBytes),
            let question = Question.read(node, report: report)
        else {
            throw PublishingError(
                .contentErrors,
                "The question in \(part.file) has errors: `underway check` names them.",
                problems: report.problems)
        }
        return (question, value)
    }

    /// The changes of saving, to be committed.
    package var edits: [FileEdit] {
        [Self.edit(question.id, of: bank, from: wrong, to: question.keyLabel, in: file)]
            + (note?.edits ?? [])
    }

    /// Returns the files that contain a correction: the file of the question with a key, and the bank's corrections
    /// with an entry about it.
    ///
    /// A missing question has no key.
    /// - Throws: `PublishingError` `contentErrors`, `unreadable`.
    package static func traces(
        of key: String, _ id: String, in bank: String, _ editor: ContentEditor
    ) throws -> (key: String?, note: String?) {
        let isNoted = try CorrectionNote.isThere(key, of: id, in: bank, editor)
        let note = isNoted ? CorrectionsFile.path(of: bank) : nil
        do {
            let part = try editor.read(.question(id: id, bank: bank))
            return (try question(part).0.hasKey(key) ? part.file : nil, note)
        } catch let error as PublishingError where error.code == .noSuchContent {
            return (nil, note)
        }
    }

    /// Appends the note and replaces the file, unless that is done.
    ///
    /// The note comes first. A crash between both leaves a note without its key: `check` warns of it, and the same
    /// correction completes it. In the other order, a publish could ship the key without the note.
    /// - Throws: `PublishingError` `contentErrors` if the checker found errors, `drift` if the file changed since it
    ///   was read, `busy` (retry), `unwritable`. The file is then unchanged.
    package func save() throws {
        guard errors.isEmpty else {
            throw PublishingError(
                .contentErrors, "With the right key \(file) would have errors.", problems: errors)
        }
        try note?.save()
        if let change { try editor.save(change) }
    }
}
