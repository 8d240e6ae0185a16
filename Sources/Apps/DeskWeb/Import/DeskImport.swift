import ContentModel
import Foundation
import Importing
import PageRendering
import Publishing
import Synchronization

/// An import of a file or of pasted questions into a bank: read and shown first, written only as it was shown.
struct DeskImport: Sendable {
    /// A field that must be changed first.
    struct Refusal: Error, Sendable {
        enum Field: Sendable { case bank, domain, text, file }
        var field: Field
        var text: String
        /// The format of what was read, as far as it is known.
        var format: ImportFormat?
        /// True when the same form can succeed in a moment.
        var isBusy = false
    }

    /// The one import that runs: two presses of a button are two requests.
    final class Turn: Sendable {
        fileprivate let lock = Mutex(())
    }

    let request: Request
    let options: DeskOptions
    let turn: Turn

    /// Reads the text against the bank; nothing is written.
    ///
    /// - Throws: `Refusal`, `PublishingError`.
    func read() throws -> (run: ExamImport, result: ImportResult) {
        // Only a bank that a scan found is a path.
        guard try ContentEditor(folder: options.content).exams().contains(request.bank) else {
            throw Refusal(field: .bank, text: "The content folder has no such bank.")
        }
        guard request.domain.isEmpty || Identifier.isValid(request.domain) else {
            throw Refusal(
                field: .domain, text: "A domain is letters, digits, hyphens, dots or underscores.")
        }
        let (name, format) = try source()
        let detected = request.detectedFormat
        var run = ExamImport(
            into: try ExamFolder(path: "\(options.content)/exams/\(request.bank)"),
            settings: request.settings(for: detected))
        run.read(request.bytes, file: name, format: format)
        guard let result = run.results.first else {
            let reason = run.failures.first?.reason ?? "has no question"
            throw Refusal(
                field: request.file == nil ? .text : .file,
                text: Self.words(reason, of: request.file?.name ?? "The text"),
                format: detected)
        }
        return (run, result)
    }

    /// Returns the name and the format of what is read; a file without a format is detected by the importer.
    private func source() throws -> (name: String, format: ImportFormat?) {
        if let file = request.file { return (file.name, request.format) }
        guard !request.text.allSatisfy(\.isWhitespace) else {
            throw Refusal(field: .text, text: "Choose a file, or paste the questions first.")
        }
        guard request.text.utf8.count <= PastedText.bytesMax else {
            throw Refusal(
                field: .text,
                text: "This is more than 1 MB. Choose it as a file, or import it in parts.")
        }
        guard let format = request.format ?? PastedText.format(of: request.text) else {
            throw Refusal(
                field: .text, text: "This is of no known format. Choose its format above.")
        }
        guard !format.isArchive else {
            throw Refusal(
                field: .text, text: "\(format.title) is a format of files. Choose the file above.")
        }
        return (PastedText.fileName(format), format)
    }

    /// The fields of the page that stand in place of options of the command.
    private static let fields =
        KeyReading.allCases.map { ("--keys \($0.rawValue)", "“Keys are \($0.words)”") }
        + LetterRule.allCases.map { ("--letters \($0.rawValue)", "“Letters before options”") }
        + SourceTextForm.allCases.map { ("--text \($0.rawValue)", "“Texts are \($0.title)”") }
        + ValueForm.allCases.map { ("--values \($0.rawValue)", "“Values are \($0.title)”") } + [
            ("--header yes", "“First row names the columns”"), ("--header", "“First row”"),
            ("--update", "“Replace questions of the bank that differ”"),
            ("--domain", "“Domain of questions that name none”"), ("--format", "“Format”"),
            ("--separator", "“Separator”"), ("--list", "“Read only these lists”"),
            ("--encoding", "“Encoding”"), ("--decimal", "“Decimal sign”"),
            ("--fetch-media", "the command “underway import --fetch-media”"),
        ]

    /// Returns words of the importer with the fields of the page in place of options of the command.
    static func onPage(_ text: String) -> String {
        fields.reduce(text) { text, field in text.replacing(field.0, with: field.1) }
    }

    /// Returns the importer's reason without the advice that is for the command line.
    static func words(_ reason: String, of name: String) -> String {
        let parts = onPage(reason).split(separator: ";").filter { !$0.contains("--") }
        return "\(name) \(parts.joined(separator: ";"))."
    }

    /// Returns the checksum of all that a ledger shows: what was pasted, what would become of it, and what it replaces.
    ///
    /// - Throws: `PublishingError` for a question to replace that cannot be read.
    func mark(_ result: ImportResult) throws -> String {
        let editor = try ContentEditor(folder: options.content)
        let before = try result.replacedIDs.sorted().map { id in
            try editor.read(.question(id: id, bank: request.bank)).value ?? .null
        }
        let ledger: JSONValue = [
            "bank": .string(request.bank), "format": .string(result.format.rawValue),
            "keys": request.keys.map { .string($0.rawValue) } ?? .null,
            "domain": .string(request.domain), "update": .bool(request.updatesBank),
            "settings": request.settingsJSON,
            "text": .string(Checksum(of: request.bytes).hex),
            "questions": .array(result.questions.map(\.json)),
            "replaced": .array(result.replacedIDs.sorted().map { .string($0) }),
            "before": .array(before),
            "skipped": .array(
                result.skipped.map { [.string($0.place), .string($0.reason)] }),
        ]
        return Checksum(of: ledger.canonicalBytes).hex
    }

    /// Reads the text for its ledger, one at a time at a desk: a large text takes seconds, and a thread of the desk.
    ///
    /// - Parameters:
    ///   - readings: The last readings of the desk's authors.
    ///   - user: The author's session.
    /// - Returns: The ledger, compared with the reading that the author saw before.
    /// - Throws: `Refusal`, also while another text is read; `PublishingError`.
    func ledger(_ readings: ImportReadings, of user: String) throws -> ImportLedger {
        let ledger = try turn.lock.withLockIfAvailable { _ in
            let result = try read().result
            let mark = try mark(result)
            let reading = ImportReading(result, source: Checksum(of: request.bytes).hex)
            let former = former(of: reading, mark, readings, user)
            readings.keep(reading, mark, of: user)
            return ImportLedger(
                result, mark: mark,
                rows: ImportRows(result, reading, since: former?.reading),
                before: former?.mark, request: request)
        }
        guard let ledger else {
            throw Refusal(
                field: request.file == nil ? .text : .file,
                text: "Another import is being read. Try again in a moment.", isBusy: true)
        }
        return ledger
    }

    /// Returns the reading that the author saw before: the last one, or if that one is shown again, the one that it was compared
    /// with.
    private func former(
        of reading: ImportReading, _ mark: String, _ readings: ImportReadings, _ user: String
    ) -> (mark: String, reading: ImportReading)? {
        let name = request.shown == mark ? request.before : request.shown ?? request.before
        guard let name, let former = readings.reading(name, of: user),
            former.source == reading.source
        else { return nil }
        return (name, former)
    }

    /// Writes the questions if they are those that were shown.
    ///
    /// - Parameters:
    ///   - shown: The mark of the ledger that was shown.
    ///   - name: Who imports.
    /// - Returns: What was written; `nil` when the text or the bank is another than was shown, and nothing was.
    /// - Throws: `Refusal`, `PublishingError`.
    func write(shown: String?, by name: String) throws -> Written? {
        try turn.lock.withLock { _ in
            let (run, result) = try read()
            guard try mark(result) == shown, !result.questions.isEmpty else { return nil }
            let prefix = options.content.hasSuffix("/") ? options.content : options.content + "/"
            let files = try run.write().paths.map {
                $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0
            }
            let count = result.questions.count
            try FolderEdit(options: options, name: name).commit(
                files, "Import \(count) questions into \(request.bank)")
            return Written(count: count, files: files)
        }
    }

    /// What an import wrote.
    struct Written: Sendable {
        var count: Int
        /// The files, relative to the content folder.
        var files: [String]
    }

    /// Takes an import back, as one commit.
    ///
    /// - Parameters:
    ///   - id: The import.
    ///   - options: The desk's.
    ///   - turn: The turn of the desk's imports.
    ///   - name: Who does it.
    /// - Returns: What was restored and removed.
    /// - Throws: `PublishingError`, also for a file that changed since; nothing was taken back then.
    static func undo(
        _ id: String, _ options: DeskOptions, _ turn: Turn, by name: String
    ) throws -> ImportUndo.Undone {
        try turn.lock.withLock { _ in
            let undone = try ImportUndo(content: options.content).undo(id)
            try FolderEdit(options: options, name: name).commit(
                undone.restored + undone.removed, "Take back the import \(id)")
            return undone
        }
    }
}
