import ContentModel
import Foundation
import Importing
import PageRendering
import Publishing
import Synchronization

/// An import of pasted questions into a bank: read and shown first, written only as it was shown.
struct DeskImport: Sendable {
    /// The entered import.
    struct Request: Sendable, Hashable {
        var bank: String
        var format: ImportFormat?
        /// The domain of questions that name none; empty for none.
        var domain: String
        var updatesBank: Bool
        /// The reading of keys; `nil` to detect it.
        var keys: KeyReading?
        var text: String

        init(_ form: FormFields) {
            bank = form["bank"] ?? ""
            format = form["format"].flatMap(ImportFormat.init(rawValue:))
                .flatMap { PastedText.formats.contains($0) ? $0 : nil }
            domain = (form["domain"] ?? "").trimmingCharacters(in: .whitespaces)
            updatesBank = form["update"] != nil
            keys = form["keys"].flatMap(KeyReading.init(rawValue:))
            text = EditField.unified(form["text"] ?? "")
        }
    }

    /// A field that must be changed first.
    struct Refusal: Error, Sendable {
        enum Field: Sendable { case bank, domain, text }
        var field: Field
        var text: String
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
        guard !request.text.allSatisfy(\.isWhitespace) else {
            throw Refusal(field: .text, text: "Paste the questions first.")
        }
        guard request.text.utf8.count <= PastedText.bytesMax else {
            throw Refusal(
                field: .text,
                text: "This is more than 1 MB. Import it in parts, or by `underway import`.")
        }
        guard let format = request.format ?? PastedText.format(of: request.text) else {
            throw Refusal(
                field: .text, text: "This is of no known format. Choose its format above.")
        }
        var run = ExamImport(
            into: try ExamFolder(path: "\(options.content)/exams/\(request.bank)"),
            settings: ImportSettings(
                domain: request.domain.isEmpty ? nil : request.domain,
                keys: request.keys, updatesBank: request.updatesBank))
        run.read(Array(request.text.utf8), file: PastedText.fileName(format), format: format)
        guard let result = run.results.first else {
            let reason = run.failures.first?.reason ?? "has no question"
            throw Refusal(field: .text, text: Self.words(reason))
        }
        return (run, result)
    }

    /// Returns words of the importer with the fields of the page in place of options of the command.
    static func onPage(_ text: String) -> String {
        KeyReading.allCases.reduce(text) { text, keys in
            text.replacing(
                "--keys \(keys.rawValue)", with: "“Keys are \(keys.words)”")
        }
        .replacing("--update", with: "“Replace questions of the bank that differ”")
    }

    /// Returns the importer's reason without the advice that is for the command line.
    static func words(_ reason: String) -> String {
        let parts = reason.split(separator: ";").filter { !$0.contains("--") }
        return "The text \(parts.joined(separator: ";"))."
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
            "text": .string(Checksum(of: Array(request.text.utf8)).hex),
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
    /// - Throws: `Refusal`, also while another text is read; `PublishingError`.
    func ledger() throws -> ImportLedger {
        let ledger = try turn.lock.withLockIfAvailable { _ in
            let result = try read().result
            return ImportLedger(result, mark: try mark(result))
        }
        guard let ledger else {
            throw Refusal(
                field: .text, text: "Another import is being read. Try again in a moment.")
        }
        return ledger
    }

    /// Writes the questions if they are those that were shown.
    ///
    /// - Parameters:
    ///   - shown: The mark of the ledger that was shown.
    ///   - name: Who imports.
    /// - Returns: The number of questions and the files; `nil` when the text or the bank is another than was shown, and
    ///   nothing was written.
    /// - Throws: `Refusal`, `PublishingError`.
    func write(shown: String?, by name: String) throws -> (count: Int, files: [String])? {
        try turn.lock.withLock { _ in
            let (run, result) = try read()
            guard try mark(result) == shown, !result.questions.isEmpty else { return nil }
            let prefix = options.content.hasSuffix("/") ? options.content : options.content + "/"
            let files = try run.write().map {
                $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : $0
            }
            let edit = FolderEdit(options: options, name: name)
            let count = result.questions.count
            for file in files {
                try edit.commit(file, "Import \(count) questions into \(request.bank)")
            }
            return (count, files)
        }
    }
}
