import Accounts
import ContentModel
import ContentServer
import HTTPTypes
import Hummingbird
import Importing
import PageRendering
import Publishing

/// The import of questions of other programs: the table first, and nothing written until somebody says so.
struct ImportPages {
    let app: DeskApp

    /// The most bytes of the form: a file, or a text of which each byte may be sent as three.
    private static let formBytesMax =
        max(3 * PastedText.bytesMax, ImportUploads.fileBytesMax + PastedText.bytesMax) + 64 * 1024

    var routes: [DeskRoute] {
        [
            .get("/import", .roles([.author]), show),
            .post("/import", .roles([.author]), formBytesMax: Self.formBytesMax, send),
            .post("/import/undo", .roles([.author]), formBytesMax: 8 * 1024, undo),
        ]
    }

    private func show(_ page: DeskRequest) async throws -> Response {
        var request = DeskImport.Request(FormFields(""))
        request.bank = page.query("bank") ?? ""
        return try await self.page(page, ImportView(request, banks: try await banks()))
    }

    private func banks() async throws -> [String] {
        let options = app.options
        return try await app.gate.run { try ContentEditor(folder: options.content).exams() }
    }

    private func page(
        _ page: DeskRequest, _ view: ImportView, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var view = view
        let content = app.options.content
        if let bank = (view.banks.first(where: \.isChosen) ?? view.banks.first)?.value {
            // Without them the field takes any domain.
            let head = try? await app.content.snapshot().bank(bank)?.content.head
            view.domains = head?.domains.map(\.id) ?? []
        }
        view.past = try await app.gate.run {
            ImportUndo(content: content).ids.suffix(5).reversed().map { .init(id: $0) }
        }
        view.hasPast = !view.past.isEmpty
        return try app.render(
            "desk_import", title: "Import", in: .import, view, for: page, status: status)
    }

    private func send(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        var request = DeskImport.Request(page.form)
        let banks = try await banks()
        var upload: String?
        do {
            upload = try take(page, user, into: &request)
            let job = DeskImport(request: request, options: app.options, turn: app.imports)
            let isImport = page.form["then"] == "import"
            if isImport {
                let (shown, name) = (page.form["shown"], user.name)
                if let done = try await app.gate.run({ try job.write(shown: shown, by: name) }) {
                    app.uploads.forget(of: user.session.id)
                    app.readings.forget(of: user.session.id)
                    return written(done, to: request.bank, for: user)
                }
            }
            let ledger = try await app.gate.run { [readings = app.readings] in
                try job.ledger(readings, of: user.session.id)
            }
            let notice =
                isImport
                ? "Nothing was imported: the text or the bank is another than the one that was shown. Look again."
                : nil
            return try await self.page(
                page,
                ImportView(request, upload: upload, banks: banks, ledger: ledger, notice: notice),
                status: isImport ? .conflict : .ok)
        } catch let refusal as DeskImport.Refusal {
            return try await self.page(
                page, ImportView(request, upload: upload, banks: banks, refusal: refusal),
                status: refusal.isBusy ? .serviceUnavailable : .unprocessableContent)
        }
    }

    /// Takes the file of a form, or the one that its author sent before.
    ///
    /// - Returns: The key of the file; `nil` for a text.
    /// - Throws: `DeskImport.Refusal` for a file that is too large, or no longer here.
    private func take(
        _ page: DeskRequest, _ user: DeskUser, into request: inout DeskImport.Request
    ) throws -> String? {
        if let file = page.form.file("file") {
            guard file.bytes.count <= ImportUploads.fileBytesMax else {
                throw DeskImport.Refusal(
                    field: .file,
                    text: "This file has more than 8 MB. Import it by `underway import`.")
            }
            request.file = file
            return app.uploads.keep(file, of: user.session.id)
        }
        guard let key = page.form["upload"], !key.isEmpty else { return nil }
        guard let file = app.uploads.file(key, of: user.session.id) else {
            throw DeskImport.Refusal(
                field: .file, text: "The desk no longer has this file. Choose it again.")
        }
        request.file = file
        return key
    }

    private func written(
        _ done: DeskImport.Written, to bank: String, for user: DeskUser
    ) -> Response {
        let files = done.files.joined(separator: ", ")
        let count = done.count == 1 ? "1 question is" : "\(done.count) questions are"
        app.toasts.show("\(count) in \(files). Not published yet.", to: user)
        return .redirect(to: "\(DeskSection.import.path)?bank=\(AssetPages.encoded(bank))")
    }

    private func undo(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        let (id, name) = (page.form["id"] ?? "", user.name)
        let (options, turn) = (app.options, app.imports)
        do {
            let undone = try await app.gate.run {
                try DeskImport.undo(id, options, turn, by: name)
            }
            let files = undone.restored.count + undone.removed.count
            app.toasts.show(
                "The import \(id) is taken back: \(files) \(files == 1 ? "file is" : "files are") as before.",
                to: user)
            return .redirect(to: DeskSection.import.path)
        } catch let error as PublishingError
            where error.code == .drift || error.code == .invalidRequest
        {
            let request = DeskImport.Request(FormFields(""))
            return try await self.page(
                page, ImportView(request, banks: try await banks(), notice: error.message),
                status: .conflict)
        }
    }
}
