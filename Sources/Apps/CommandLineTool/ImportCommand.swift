import ArgumentParser
import ContentModel
import Foundation
import Importing
import OfflineStorage
import Publishing
import QuestionEngine

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import question banks of other programs into a content folder.",
        discussion: """
            Formats: GIFT, Aiken, Respondus, Blackboard and Brightspace text, Moodle XML, QTI (1.2, 2.x, 3.0; items, tests, packages), Excel (.xlsx), Word (.docx), web pages, H5P, CSV, JSON, \
            YAML, Anki (.apkg), CrowdAnki, cards as text and Markdown lists. Without --write the command changes nothing. It lists what \
            it would import, what not, and why. --undo takes an import back, whole or not at all.
            """,
        examples: [
            "underway import bank.gift --into content/exams/int/networks",
            "underway import deck.apkg --into content/exams/int/networks --write",
        ])

    @Argument(help: "The files to read.", transform: PathArgument.path)
    var files: [String] = []

    @Option(
        help: "The exam's folder, for example content/exams/int/swift.",
        transform: PathArgument.path)
    var into: String

    @Option(
        help: ArgumentHelp(
            "The format of the files; without it, their names and contents decide.",
            valueName: ImportFormat.allCases.map(\.rawValue).joined(separator: "|")))
    var format: String?

    @Option(help: "The domain of questions that name none, or one that is not declared.")
    var domain: String?

    @Option(
        parsing: .upToNextOption,
        help:
            "The names of the fields in CSV, Excel, JSON and YAML files, for example stem=question correct=answer."
    )
    var map: [String] = []

    @Option(
        parsing: .upToNextOption,
        help:
            "Fields of CSV, Excel, JSON and YAML files to add to a text, for example stem=passage (before it) explanation=source (after it)."
    )
    var join: [String] = []

    @Option(
        help: ArgumentHelp(
            "How the keys of CSV, Excel, JSON and YAML are read; without it, each file decides.",
            valueName: KeyReading.allCases.map(\.rawValue).joined(separator: "|")))
    var keys: String?

    @Option(
        help: ArgumentHelp(
            "The form of texts in CSV, JSON and YAML, and of those in GIFT without a mark; without it, each file decides.",
            valueName: "plain|html"))
    var text: String?

    @Option(
        help: ArgumentHelp(
            "The encoding of texts, for example windows-1251 or utf-16le; without it, each file decides.",
            valueName: "name"))
    var encoding: String?

    @Option(
        help: ArgumentHelp(
            "The outcome that is the score of items of QTI 1.2; without it, SCORE, que_score or D2L_Correct.",
            valueName: "name"))
    var outcome: String?

    @Option(
        help: ArgumentHelp(
            "What stands between the sides of a card in a text of cards, for example \" - \" or \\\\t; without it, a tab, or what the file shows.",
            valueName: "text"))
    var fieldSeparator: String?

    @Option(
        help: ArgumentHelp(
            "What stands between two cards in a text of cards, for example \";\" or \\\\n\\\\n; without it, a line end.",
            valueName: "text"))
    var rowSeparator: String?

    @Option(
        help: ArgumentHelp(
            "A list of JSON or YAML to read, for example $.easy; several times for several.",
            valueName: "path"))
    var list: [String] = []

    @Option(
        help: ArgumentHelp(
            "Whether the first row of a table names its columns; without it, the table decides.",
            valueName: "yes|no"))
    var header: String?

    @Option(
        help: ArgumentHelp(
            "The separator of a table; without it, the table decides.",
            valueName: "comma|semicolon|tab|bar"))
    var separator: String?

    @Option(
        help: ArgumentHelp(
            "What becomes of letters before options, such as A.; without it, the file decides.",
            valueName: "remove|keep"))
    var letters: String?

    @Option(
        help: ArgumentHelp(
            "The coding of values in CSV, JSON and YAML; without it, the file decides.",
            valueName: ValueForm.allCases.map(\.rawValue).joined(separator: "|")))
    var values: String?

    @Option(
        help: ArgumentHelp(
            "The decimal sign of numbers in CSV, JSON and YAML; without it, the file decides.",
            valueName: "point|comma"))
    var decimal: String?

    @Option(
        help: ArgumentHelp(
            "Imports a file although much of its text is in no question.", valueName: "unread"))
    var accept: String?

    @Option(help: "The title of a new exam.")
    var title: String?

    @Option(
        help: "A device's store for the review history of Anki decks, with --write.",
        transform: PathArgument.path)
    var history: String?

    @Flag(
        help: "Replace questions of the bank that differ; without it the differences are shown.")
    var update = false

    @Flag(
        help: """
            Fetch pictures that questions show by an https address into the media folder, with --write; \
            at most 500 of 10 MB. Without it their questions are skipped.
            """)
    var fetchMedia = false

    @Flag(help: "Write the files; without it only the ledger is shown.")
    var write = false

    @Option(
        help: ArgumentHelp(
            "Takes an import of the content folder back, by the id that it printed or as last; files that changed since stop it.",
            valueName: "id"))
    var undo: String?

    @Flag(help: "Print JSON, also for errors.")
    var json = false

    func validate() throws {
        if undo != nil, !files.isEmpty || write {
            throw ValidationError("--undo takes an import back and reads no files.")
        }
        if files.isEmpty, undo == nil { throw ValidationError("Name at least one file.") }
        if let format, ImportFormat(rawValue: format) == nil {
            throw ValidationError("There is no format \"\(format)\".")
        }
        if [fieldSeparator, rowSeparator].contains("") {
            throw ValidationError("A separator has at least one character.")
        }
        if let domain, !Identifier.isValid(domain) {
            throw ValidationError("--domain must be an id: letters, digits, '-', '_' or '.'.")
        }
        try validateProfile()
        if let text, SourceTextForm(rawValue: text) == nil {
            throw ValidationError("--text is plain or html.")
        }
        if let encoding, TextEncoding(encoding) == nil {
            throw ValidationError(
                "There is no encoding \"\(encoding)\". Choose one of \(TextEncoding.names.joined(separator: ", "))."
            )
        }
        for entry in map where Self.pair(entry) == nil {
            throw ValidationError("--map takes entries such as stem=question, not \"\(entry)\".")
        }
        for entry in map {
            guard let ours = Self.pair(entry)?.ours, !ImportSettings.isMappable(ours) else {
                continue
            }
            throw ValidationError(
                "--map has no field \"\(ours)\". Choose one of \(ImportSettings.mappable.joined(separator: ", ")), and option_a, image_a and feedback_a for each option."
            )
        }
        for entry in join where !ImportSettings.joinable.contains(Self.pair(entry)?.ours ?? "") {
            throw ValidationError(
                "--join takes entries such as stem=passage or explanation=source, not \"\(entry)\"."
            )
        }
    }

    /// Checks the options that answer what a file leaves open.
    private func validateProfile() throws {
        let choices: [(name: String, value: String?, allowed: [String])] = [
            ("keys", keys, KeyReading.allCases.map(\.rawValue)),
            ("header", header, ["yes", "no"]),
            ("separator", separator, ImportSettings.separators.keys.sorted()),
            ("letters", letters, LetterRule.allCases.map(\.rawValue)),
            ("values", values, ValueForm.allCases.map(\.rawValue)),
            ("accept", accept, ["unread"]),
            ("decimal", decimal, DecimalSign.allCases.map(\.rawValue)),
        ]
        for choice in choices {
            guard let value = choice.value, !choice.allowed.contains(value) else { continue }
            throw ValidationError(
                "--\(choice.name) is one of \(choice.allowed.joined(separator: ", ")).")
        }
    }

    private var settings: ImportSettings {
        var settings = ImportSettings(
            domain: domain, mapping: mapping, joins: joins,
            keys: keys.flatMap(KeyReading.init(rawValue:)),
            textForm: text.flatMap(SourceTextForm.init(rawValue:)),
            encoding: encoding.flatMap(TextEncoding.init), outcome: outcome, updatesBank: update)
        settings.fieldSeparator = fieldSeparator
        settings.rowSeparator = rowSeparator
        settings.lists = list
        settings.acceptsUnread = accept == "unread"
        settings.hasHeader = header.map { $0 == "yes" }
        settings.separator = separator.flatMap { ImportSettings.separators[$0] }
        settings.letters = letters.flatMap(LetterRule.init(rawValue:))
        settings.values = values.flatMap(ValueForm.init(rawValue:))
        settings.decimal = decimal.flatMap(DecimalSign.init(rawValue:))
        return settings
    }

    func run() async throws {
        try await reportingErrors {
            if let undo { return try takeBack(undo) }
            let folder = try ExamFolder(path: into)
            // Kept, since a pipe can be read once.
            let inputs = try files.map { (file: $0, bytes: try bytes(of: $0)) }
            var run = read(inputs, into: folder)
            if let fetched = await fetched(for: run) {
                run = read(inputs, into: folder, fetched)
            }
            let written = write ? try run.write(title: title) : ImportedFiles()
            let reviews = write ? try storeHistory(run) : 0
            let summary = run.summary(written: written, reviewsKept: reviews, isDry: !write)
            json ? try Console.say(result: summary) : Console.say(summary.text)
            if let first = run.failures.first {
                throw CommandFailure.reported(.files, first.description, place: first.file)
            }
            if let refused = run.results.first(where: isRefused) {
                throw CommandFailure.reported(
                    .files, "No question of \(refused.file) can be imported.", place: refused.file)
            }
        }
    }

    private func read(
        _ inputs: [(file: String, bytes: [UInt8])], into folder: ExamFolder,
        _ fetched: FetchedPictures? = nil
    ) -> ExamImport {
        var run = ExamImport(into: folder, settings: settings, fetched: fetched)
        for (file, bytes) in inputs {
            run.read(
                bytes, file: file, format: format.flatMap(ImportFormat.init(rawValue:)),
                pictures: PictureFolder(of: file))
        }
        return run
    }

    private func takeBack(_ id: String) throws {
        // An import whose exam is broken since can be taken back too.
        let content = try ExamFolder.content(of: into)
        let undone = try ImportUndo(content: content).undo(id == "last" ? nil : id)
        if json { return try Console.say(result: undone) }
        let lines =
            ["The import \(undone.id) is taken back."]
            + undone.restored.map { "restored \(content)/\($0)" }
            + undone.removed.map { "removed \(content)/\($0)" }
        Console.say(lines.joined(separator: "\n"))
    }

    private var mapping: [String: String] {
        Dictionary(
            map.compactMap(Self.pair).map { ($0.ours, $0.theirs) }, uniquingKeysWith: { $1 })
    }

    private var joins: [String: [String]] {
        Dictionary(grouping: join.compactMap(Self.pair), by: \.ours).mapValues { $0.map(\.theirs) }
    }

    /// Returns the names of `ours=theirs`; `nil` for another form.
    private static func pair(_ entry: String) -> (ours: String, theirs: String)? {
        let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    private func bytes(of file: String) throws -> [UInt8] {
        let url = URL(fileURLWithPath: file)
        let size = try? url.resourceValues(forKeys: [.fileSizeKey]).fileSize
        guard (size ?? 0) <= QuestionImporter.fileBytesMax else {
            throw PublishingError.unreadable(
                "\(file) is larger than \(Console.bytes(QuestionImporter.fileBytesMax)).")
        }
        return [UInt8](try InputFile.read(file))
    }

    /// Stores past reviews as answers of the exam, so that studying continues from them.
    private func storeHistory(_ run: ExamImport) throws -> Int {
        guard let history, run.failures.isEmpty,
            let key = Identifier.examKey(run.folder.blueprint.id)
        else { return 0 }
        let store = try UserStore(folder: URL(fileURLWithPath: history))
        return try store.add(
            run.pastAnswers, to: .exam(region: key.region, exam: key.exam), now: Date())
    }
}
