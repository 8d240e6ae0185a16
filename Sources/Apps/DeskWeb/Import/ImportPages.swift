import Accounts
import ContentServer
import HTTPTypes
import Hummingbird
import PageRendering
import Publishing

/// The import of questions of other programs: the ledger first, and nothing written until somebody says so.
struct ImportPages {
    let app: DeskApp

    /// The most bytes of the form: each byte of the text may be sent as three.
    private static let formBytesMax = 3 * PastedText.bytesMax + 64 * 1024

    var routes: [DeskRoute] {
        [
            .get("/import", .roles([.author]), show),
            .post("/import", .roles([.author]), formBytesMax: Self.formBytesMax, send),
        ]
    }

    private func show(_ page: DeskRequest) async throws -> Response {
        let options = app.options
        let banks = try await app.gate.run { try ContentEditor(folder: options.content).exams() }
        var request = DeskImport.Request(FormFields(""))
        request.bank = page.query("bank") ?? ""
        return try self.page(page, ImportView(request, banks: banks))
    }

    private func page(
        _ page: DeskRequest, _ view: ImportView, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        try app.render(
            "desk_import", title: "Import", in: .import, view, for: page, status: status)
    }

    private func send(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        let job = DeskImport(
            request: DeskImport.Request(page.form), options: app.options, turn: app.imports)
        let options = app.options
        let banks = try await app.gate.run { try ContentEditor(folder: options.content).exams() }
        do {
            let isImport = page.form["then"] == "import"
            if isImport {
                let (shown, name) = (page.form["shown"], user.name)
                if let done = try await app.gate.run({ try job.write(shown: shown, by: name) }) {
                    let files = done.files.joined(separator: ", ")
                    let count = done.count == 1 ? "1 question is" : "\(done.count) questions are"
                    app.toasts.show("\(count) in \(files). Not published yet.", to: user)
                    return .redirect(
                        to:
                            "\(DeskSection.import.path)?bank=\(AssetPages.encoded(job.request.bank))"
                    )
                }
            }
            let ledger = try await app.gate.run { try job.ledger() }
            return try self.page(
                page,
                ImportView(
                    job.request, banks: banks, ledger: ledger,
                    notice: isImport
                        ? "Nothing was imported: the text or the bank is another than the one that was shown. Look again."
                        : nil), status: isImport ? .conflict : .ok)
        } catch let refusal as DeskImport.Refusal {
            return try self.page(
                page, ImportView(job.request, banks: banks, refusal: refusal),
                status: .unprocessableContent)
        }
    }
}
