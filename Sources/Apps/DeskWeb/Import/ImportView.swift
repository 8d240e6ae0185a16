import ContentModel
import Importing
import PageRendering

/// The page of an import: what is read into which bank, and the table of what would become of it.
struct ImportView {
    /// An import that can be taken back.
    struct Past: Sendable {
        var id: String
    }

    /// A menu for something that the file decides, unless the author does.
    struct Menu {
        var id: String
        var title: String
        var choices: [EditView.Choice]
    }

    struct Column {
        var id: String
        var title: String
        var value: String
    }

    var action = DeskSection.import.path
    var undoAction = DeskSection.import.path + "/undo"
    var banks: [EditView.Choice]
    var hasBanks: Bool
    var menus: [Menu]
    var columns: [Column]
    /// True when a menu or a column is set, so that they are open.
    var isSet: Bool
    var domain: String
    /// The domains that the bank declares.
    var domains: [String] = []
    var updatesBank: Bool
    var text: String
    /// The key and the name of the file that was sent.
    var upload: String?
    var fileName: String?
    var bankProblem: String?
    var domainProblem: String?
    var textProblem: String?
    var fileProblem: String?
    var ledger: ImportLedger?
    /// The notice in place of an import.
    var notice: String?
    /// True when nothing can be imported yet, so that reading is the next step.
    var isFirst: Bool
    var past: [Past] = []
    var hasPast = false
    /// Enter in a field reads the text; it writes nothing.
    var enter = DefaultButton(name: "then", value: "check")

    init(
        _ request: DeskImport.Request, upload: String? = nil, banks: [String],
        ledger: ImportLedger? = nil, refusal: DeskImport.Refusal? = nil, notice: String? = nil
    ) {
        self.banks = banks.map { .init(value: $0, title: $0, isChosen: $0 == request.bank) }
        hasBanks = !banks.isEmpty
        menus = Self.menus(request)
        let titles = ["stem": "question", "correct": "key", "explanation": "explanation"]
        columns = DeskImport.Request.columns.map { name in
            Column(
                id: "column-" + name, title: "Column of the \(titles[name] ?? name)",
                value: request.mapping[name] ?? "")
        }
        isSet =
            !request.mapping.isEmpty
            || menus.dropFirst(2).contains { $0.choices.first?.isChosen == false }
        (domain, updatesBank, text) = (request.domain, request.updatesBank, request.text)
        self.upload = upload
        fileName = request.file?.name
        self.ledger = ledger
        self.notice = notice
        isFirst = ledger?.button == nil
        switch refusal?.field {
        case .bank: bankProblem = refusal?.text
        case .domain: domainProblem = refusal?.text
        case .text: textProblem = refusal?.text
        case .file: fileProblem = refusal?.text
        case nil: break
        }
    }

    private static func menus(_ request: DeskImport.Request) -> [Menu] {
        [
            menu(
                "format", "Format", ImportFormat.allCases.map { ($0.rawValue, $0.title) },
                request.format?.rawValue),
            menu(
                "keys", "Keys are", KeyReading.allCases.map { ($0.rawValue, $0.words) },
                request.keys?.rawValue),
            menu(
                "header", "First row", [("yes", "names the columns"), ("no", "is a question")],
                request.hasHeader.map { $0 ? "yes" : "no" }),
            menu(
                "separator", "Separator",
                ["comma", "semicolon", "tab", "bar"].map { ($0, $0) }, request.separator),
            menu(
                "letters", "Letters before options",
                LetterRule.allCases.map { ($0.rawValue, $0.rawValue) }, request.letters?.rawValue),
        ]
    }

    private static func menu(
        _ id: String, _ title: String, _ values: [(String, String)], _ chosen: String?
    ) -> Menu {
        let open = EditView.Choice(value: "", title: "Find out", isChosen: chosen == nil)
        return Menu(
            id: id, title: title,
            choices: [open]
                + values.map { .init(value: $0.0, title: $0.1, isChosen: $0.0 == chosen) })
    }
}
