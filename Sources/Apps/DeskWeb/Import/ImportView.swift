import ContentModel
import Importing
import PageRendering

/// The page of an import: what is read into which bank, and the table of what would become of it.
struct ImportView {
    /// An import that can be taken back.
    struct Past: Sendable {
        var id: String
    }

    var action = DeskSection.import.path
    var undoAction = DeskSection.import.path + "/undo"
    var banks: [EditView.Choice]
    var hasBanks: Bool
    /// The menus about the reading.
    var reading: ImportMenus
    /// True when the questions were read, or could not be: a menu that changes reads them again.
    var isRead: Bool
    /// The mark of the reading to compare the next one with, beside that of the ledger.
    var before: String
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
        reading = ImportMenus(
            request, format: ledger?.kind ?? refusal?.format ?? request.format,
            profile: ledger?.decided)
        isRead = ledger != nil || refusal != nil
        before = ledger?.before ?? request.shown ?? request.before ?? ""
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
}
