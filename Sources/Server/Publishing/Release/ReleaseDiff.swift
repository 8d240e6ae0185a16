package import ContentModel

/// The difference between two states of a library, question by question.
public struct ReleaseDiff: Sendable, Hashable, Codable {
    /// A served file that differs.
    public struct FileChange: Sendable, Hashable, Codable {
        /// The readable path.
        public var path: String
        /// The kind of the change.
        public var kind: Kind
        /// The changes of a blueprint's questions and settings.
        public var questions: [QuestionChange] = []
        /// The added corrections of wrong keys in a blueprint.
        public var corrections: [Correction] = []
        /// The removed corrections of a blueprint; answers regain the grade by the previous key.
        public var withdrawn: [Correction] = []
        /// The keys of a blueprint that changed without a correction.
        public var uncorrected: [KeyChange] = []
    }

    /// The kind of a change.
    public enum Kind: String, Sendable, Codable {
        case added
        case removed
        case changed
    }

    /// A question, or a setting of the blueprint, that differs.
    public struct QuestionChange: Sendable, Hashable, Codable {
        /// The question's id; empty for the blueprint's own settings.
        public var id: String
        /// The kind of the change.
        public var kind: Kind
        /// The changed fields, each with its old and new value.
        public var fields: [FieldChange] = []
    }

    /// A correction of a wrong key, by which earlier answers are regraded.
    public struct Correction: Sendable, Hashable, Codable {
        /// The question's id.
        public var question: String
        /// The wrong key.
        public var was: String
        /// The right key.
        public var `is`: String
        /// The number of versions with the wrong key.
        public var versions: Int
    }

    /// A field's old and new value, in a form for people.
    public struct FieldChange: Sendable, Hashable, Codable {
        /// The name: `stem`, `key`, `difficulty` and so on.
        public var name: String
        /// The old value.
        public var old: String
        /// The new value.
        public var new: String
    }

    /// The changed files, by path.
    public var files: [FileChange]

    /// Compares two retained releases.
    public static func between(_ old: Int, and new: Int, releaseDirectory: String) throws
        -> ReleaseDiff
    {
        let directory = ReleaseDirectory(root: releaseDirectory)
        return try compare(
            LibraryState(directory, release: old), LibraryState(directory, release: new))
    }

    /// Compares the current release with the content folder.
    ///
    /// - Throws: `PublishingError` `contentErrors` if the folder has errors.
    public static func pending(_ publisher: Publisher) throws -> ReleaseDiff {
        let directory = ReleaseDirectory(root: publisher.releaseDirectory)
        let state = try ReleaseState.load(directory, index: directory.readIndex())
        var current = LibraryState()
        if state.index.release > 0 {
            current = try LibraryState(directory, release: state.index.release)
        }
        return try compare(current, LibraryState(folder: publisher.folder))
    }

    /// Compares two manifests, their JSON documents and what else they say.
    ///
    /// - Parameters:
    ///   - old: The manifest before.
    ///   - new: The manifest after.
    ///   - documents: The JSON documents in which they differ.
    /// - Returns: The difference, with new questions and banks in full.
    /// - Throws: An error of the content for a bank that cannot be read.
    static func between(
        _ old: Manifest, and new: Manifest, documents: [Checksum: [UInt8]]
    ) throws -> ReleaseDiff {
        let (before, after) = (LibraryState(old, documents), LibraryState(new, documents))
        var difference = try compare(before, after)
        for position in difference.files.indices {
            try difference.files[position].describe(before, after)
        }
        return difference
    }

    private static func compare(
        _ old: LibraryState, _ new: LibraryState
    ) throws -> ReleaseDiff {
        let paths = Set(old.files.keys).union(new.files.keys).sorted()
        let changes = try paths.compactMap { path -> FileChange? in
            switch (old.files[path], new.files[path]) {
            case (nil, _):
                return try FileChange(
                    added: path, isFirst: old.files.isEmpty, bytes: new.bytes(path))
            case (_, nil): return FileChange(path: path, kind: .removed)
            case (let before, let after) where before != after:
                return try change(of: path, old: old, new: new)
            default: return nil
            }
        }
        return ReleaseDiff(files: changes)
    }

    private static func change(
        of path: String, old: LibraryState, new: LibraryState
    ) throws -> FileChange {
        guard ReleasePath(path)?.bank != nil else { return FileChange(path: path, kind: .changed) }
        return FileChange(
            path: path, from: try Blueprint(released: old.bytes(path), file: path),
            to: try Blueprint(released: new.bytes(path), file: path))
    }
}

extension ReleaseDiff.FileChange {
    /// Describes a file that comes; a bank with its questions, but in the first release, where all of them come.
    init(added path: String, isFirst: Bool, bytes: @autoclosure () throws -> [UInt8]) throws {
        self.init(path: path, kind: .added)
        guard !isFirst, ReleasePath(path)?.bank != nil else { return }
        questions = try Blueprint(released: bytes(), file: path).questions.map {
            .init(id: $0.id, kind: .added)
        }
    }

    /// Compares two states of a bank.
    init(path: String, from before: Blueprint, to after: Blueprint) {
        self.init(path: path, kind: .changed)
        questions = Blueprint.changes(from: before, to: after)
        let (old, new) = (before.effectiveCorrections, after.effectiveCorrections)
        corrections = new.filter { !old.contains($0) }.map { .init($0) }
        withdrawn = old.filter { !new.contains($0) }.map { .init($0) }
        uncorrected = after.uncorrectedKeys(since: before)
    }
}

extension ReleaseDiff.Correction {
    init(_ correction: GradeCorrection) {
        self.init(
            question: correction.question, was: correction.was, is: correction.is,
            versions: correction.versions.count)
    }
}

extension Blueprint {
    /// Compares two blueprints: first its own settings, then its questions in
    /// the new order, then those that went.
    static func changes(
        from old: Blueprint, to new: Blueprint
    ) -> [ReleaseDiff.QuestionChange] {
        var changes: [ReleaseDiff.QuestionChange] = []
        var oldHead = old
        var newHead = new
        oldHead.questions = []
        newHead.questions = []
        // Corrections are named one by one beside the questions.
        oldHead.corrections = []
        newHead.corrections = []
        let head = fieldChanges(oldHead.json, newHead.json)
        if !head.isEmpty { changes.append(.init(id: "", kind: .changed, fields: head)) }
        let before = Dictionary(old.questions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for question in new.questions {
            guard let previous = before[question.id] else {
                changes.append(.init(id: question.id, kind: .added))
                continue
            }
            let fields = question.changes(from: previous)
            if !fields.isEmpty {
                changes.append(.init(id: question.id, kind: .changed, fields: fields))
            }
        }
        let present = Set(new.questions.map(\.id))
        changes += old.questions.filter { !present.contains($0.id) }.map {
            .init(id: $0.id, kind: .removed)
        }
        return changes
    }

    static func fieldChanges(
        _ old: JSONValue, _ new: JSONValue
    ) -> [ReleaseDiff.FieldChange] {
        guard case .object(let before) = old, case .object(let after) = new else { return [] }
        return Set(before.keys).union(after.keys).sorted().compactMap { key in
            before[key] == after[key]
                ? nil
                : .init(name: key, old: readable(before[key]), new: readable(after[key]))
        }
    }

    private static func readable(_ value: JSONValue?) -> String {
        switch value {
        case nil: "—"
        case .string(let text): text
        case .some(let value): String(decoding: value.canonicalBytes, as: UTF8.self)
        }
    }
}

extension Question {
    /// Returns the fields in which the question differs from an older state of itself.
    ///
    /// The key is shown as the texts of its options, so that moving options does not change it.
    package func changes(from old: Question) -> [ReleaseDiff.FieldChange] {
        var changes = Blueprint.fieldChanges(old.json, json).filter {
            $0.name != "correct" && $0.name != "options" && $0.name != "number"
        }
        let optionsBefore = old.options.map(\.description)
        let optionsAfter = options.map(\.description)
        if optionsBefore != optionsAfter {
            changes.append(
                .init(
                    name: "options", old: optionsBefore.joined(separator: " | "),
                    new: optionsAfter.joined(separator: " | ")))
        }
        if old.feedback != feedback {
            changes.append(
                .init(
                    name: "feedback", old: old.feedback.joined(separator: " | "),
                    new: feedback.joined(separator: " | ")))
        }
        if old.correctOptionIDs != correctOptionIDs || old.correctNumber != correctNumber {
            changes.append(.init(name: "key", old: old.keyText, new: keyText))
        }
        return changes
    }

    private var feedback: [String] {
        options.compactMap { option in option.feedback.map { "\(option.id): \($0)" } }
    }

    private var keyText: String {
        switch key {
        case .options(let correct):
            correct.map { options[$0].text.isEmpty ? options[$0].id : options[$0].text }
                .joined(separator: ", ")
        case .number(let number): number.text
        }
    }
}

extension QuestionOption {
    fileprivate var description: String {
        "\(id): \(text)" + (image.map { " [\($0)]" } ?? "") + (isPinned ? " (pinned)" : "")
    }
}

extension ReleaseDiff.FileChange {
    /// Adds details that a reader may not know: the content of a new question or bank, the members of another JSON
    /// document, and the checksum of any other file, as by `sha256sum`.
    fileprivate mutating func describe(_ old: LibraryState, _ new: LibraryState) throws {
        guard kind != .removed else { return }
        guard ReleasePath(path)?.bank == nil else {
            let bank = try Blueprint(released: new.bytes(path), file: path)
            describeNew(bank)
            if kind == .changed {
                describeOrder(of: bank, since: try Blueprint(released: old.bytes(path), file: path))
            }
            return
        }
        let (before, after) = (old.json(path), new.json(path))
        // What cannot be read as members must not look like their removal.
        let areRead = after != nil && (before != nil || old.files[path] == nil)
        var fields =
            areRead
            ? Blueprint.fieldChanges(before?.leaves ?? .object([:]), after?.leaves ?? .object([:]))
            : []
        if fields.isEmpty {
            fields = [
                .init(
                    name: "sha256", old: old.files[path]?.hex ?? "—",
                    new: new.files[path]?.hex ?? "—")
            ]
        }
        questions = [.init(id: "", kind: kind, fields: fields)]
    }

    /// Adds the order of the questions that both have, where it changed.
    private mutating func describeOrder(of bank: Blueprint, since former: Blueprint) {
        let (before, after) = (former.questions.map(\.id), bank.questions.map(\.id))
        let stayed = Set(before).intersection(after)
        let order = (before.filter(stayed.contains), after.filter(stayed.contains))
        guard order.0 != order.1 else { return }
        questions.append(
            .init(
                id: "", kind: .changed,
                fields: [
                    .init(
                        name: "order", old: order.0.joined(separator: ", "),
                        new: order.1.joined(separator: ", "))
                ]))
    }

    private mutating func describeNew(_ bank: Blueprint) {
        let known = Dictionary(bank.questions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for position in questions.indices where questions[position].kind == .added {
            let question = known[questions[position].id]
            questions[position].fields = Blueprint.fieldChanges(
                .object([:]), question?.json ?? .object([:]))
        }
        guard kind == .added else { return }
        var head = bank
        head.questions = []
        questions.insert(
            .init(
                id: "", kind: .added, fields: Blueprint.fieldChanges(.object([:]), head.json)),
            at: 0)
    }
}

/// The files of a library by readable path, wherever their bytes are.
private struct LibraryState {
    var files: [String: Checksum] = [:]
    private var directory: ReleaseDirectory?
    private var made: [String: [UInt8]] = [:]

    init() {}

    init(_ directory: ReleaseDirectory, release: Int) throws {
        for entry in try directory.manifest(release: release).entries {
            files[entry.path.text] = entry.checksum
        }
        self.directory = directory
    }

    init(_ manifest: Manifest, _ documents: [Checksum: [UInt8]]) {
        for entry in manifest.entries {
            files[entry.path.text] = entry.checksum
            made[entry.path.text] = documents[entry.checksum]
        }
    }

    init(folder root: String) throws {
        let folder = try ContentFolder(root: root)
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        let settings = try folder.settings(report: report)
        var effective = settings ?? .fallback
        // What older versions of the app can read is a matter of publishing.
        effective.support = AppSupport()
        let builder = UnitBuilder(root: folder.root, settings: effective)
        let built = try UnitBuilder.buildAll(folder.units, with: builder)
        let problems = report.problems + folder.problems + built.flatMap(\.problems)
        let errors = problems.filter { $0.rule.severity == .error }.sorted()
        guard errors.isEmpty else {
            throw PublishingError(
                .contentErrors, "The content has errors. Fix them to see the difference.",
                problems: errors)
        }
        for file in built.flatMap(\.files) {
            files[file.path] = file.checksum
            if case .made(let bytes) = file.bytes { made[file.path] = bytes }
        }
    }

    /// Returns the JSON document of a path; `nil` for any other file.
    func json(_ path: String) -> JSONValue? {
        // A document that is no JSON is described by its checksum.
        made[path].flatMap { try? JSONParser.parse($0, nodesMax: TrustLimits.valuesMax).value }
    }

    func bytes(_ path: String) throws -> [UInt8] {
        if let bytes = made[path] { return bytes }
        guard let checksum = files[path], let directory else { return [] }
        return try directory.object(checksum)
    }
}
