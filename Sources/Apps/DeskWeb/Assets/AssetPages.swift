import Accounts
import ContentModel
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PageRendering
import Publishing

/// The files that an app loads by name: the list, and a form for those whose values have a schema.
struct AssetPages {
    let app: DeskApp

    private static let access = DeskAccess.roles([.author])
    private static let path = DeskSection.assets.path

    var routes: [DeskRoute] {
        [
            .get("/assets", Self.access, list), .get("/assets/file", Self.access, show),
            .get("/assets/picture", Self.access, picture),
            .post("/assets/file", Self.access, save),
        ]
    }

    // MARK: Addresses

    /// Returns a text for the query of an address.
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }

    private static let plain = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")

    /// Returns the address of the page of an asset.
    static func path(of name: String) -> String { "\(path)/file?path=\(encoded(name))" }

    /// Returns the address of a picture.
    static func picturePath(_ name: String) -> String { "\(path)/picture?path=\(encoded(name))" }

    /// Returns the asset of a request.
    ///
    /// - Throws: `HTTPError` 404 for a path that no asset can have; `PublishingError` says later that there is none.
    private func name(_ page: DeskRequest) throws -> String {
        guard let name = page.query("path"), ContentPath(name) != nil else {
            throw HTTPError(.notFound)
        }
        return name
    }

    // MARK: List

    private struct ListView {
        var query: String
        var rows: [AssetRow]
        var hasRows: Bool
        var count: String
        var empty: String
        var path = AssetPages.path
    }

    /// The most rows of the list.
    private static let rowsMax = 200

    private func list(_ page: DeskRequest) async throws -> Response {
        let query = page.query("q") ?? ""
        let options = app.options
        let all = try await app.gate.run {
            let rules = try AssetRules(ContentEditor(folder: options.content))
            return rules.assets.map { AssetRow($0, rules) }
        }
        let shown = all.filter {
            query.isEmpty || $0.name.lowercased().contains(query.lowercased())
        }
        let view = ListView(
            query: query, rows: Array(shown.prefix(Self.rowsMax)), hasRows: !shown.isEmpty,
            count: "\(min(shown.count, Self.rowsMax)) of \(all.count)",
            empty: all.isEmpty
                ? "There is no asset yet. Put files into the folder assets of the content folder."
                : "None is like this.")
        return try app.render("desk_assets", title: "Assets", in: .assets, view, for: page)
    }

    // MARK: One

    private struct View {
        var name: String
        var action: String
        var type: String
        var size: String
        var fetch: String
        var schema: String?
        /// The title of the schema.
        var about: String?
        var checksum: String
        /// True for a document with a schema, whose values are fields.
        var isForm: Bool
        var reason: String?
        var picture: String?
        var edit: EditView
        var conflict: EditConflict?
        var isOutdated: Bool
        var path = AssetPages.path
    }

    /// The data of an asset's page.
    private struct Read: Sendable {
        var part: ContentPart
        var problems: [Problem]
        var places: DocumentPlaces?
        var schema: JSONValue?
        var schemaPath: String?
        var fetch: String

        init(_ name: String, _ options: DeskOptions) throws {
            (part, problems, places) = try FolderEdit.read(.asset(name), options)
            let rules = try AssetRules(ContentEditor(folder: options.content))
            schema = rules.schema(of: name)
            schemaPath = rules.schemaPath(of: name)
            fetch = AssetRow.words(rules.fetch(of: name))
        }

        var hasForm: Bool { part.value != nil && schema != nil }
    }

    private func show(_ page: DeskRequest) async throws -> Response {
        let (name, options) = (try name(page), app.options)
        let read = try await app.gate.run { try Read(name, options) }
        return try self.page(page, name, read)
    }

    private func page(
        _ page: DeskRequest, _ name: String, _ read: Read, isSent: Bool = false,
        refused: EditProblem? = nil
    ) throws -> Response {
        let value = read.part.value ?? .object([:])
        let form = read.hasForm ? AssetForm.make(read.schema, value) : EditForm(groups: [])
        let typed = isSent ? form.typed(page.form) : [:]
        let isConflict = isSent && refused == nil
        let view = View(
            name: name, action: Self.path(of: name), type: AssetRow.type(name),
            size: AssetRow.size(read.part.fileBytes.count), fetch: read.fetch,
            schema: read.schemaPath, about: AssetForm.text(read.schema, "title"),
            checksum: Checksum(of: read.part.fileBytes).hex,
            isForm: read.hasForm, reason: read.hasForm ? nil : Self.reason(read),
            picture: PictureKind(read.part.fileBytes).map { _ in Self.picturePath(name) },
            edit: EditView(
                form, value, typed: typed, problems: isConflict ? [] : read.problems,
                places: read.places, refused: refused),
            conflict: isConflict ? form.conflict(typed, value) : nil, isOutdated: isConflict)
        return try app.render(
            "desk_asset", title: name, in: .assets, view, for: page,
            status: refused != nil ? .unprocessableContent : isConflict ? .conflict : .ok)
    }

    private static func reason(_ read: Read) -> String {
        guard read.part.value != nil else {
            return "Replace the file in the content folder to change it."
        }
        return read.schemaPath == nil
            ? "Name a schema for it in assets.yaml to edit its values here, or edit the file in the content folder."
            : "Its schema cannot be read. Correct that first, or edit the file in the content folder."
    }

    private func save(_ page: DeskRequest) async throws -> Response {
        let user = try page.signedIn()
        let (name, options, sent) = (try name(page), app.options, page.form)
        if sent["decision"] == "server" { return .redirect(to: Self.path(of: name)) }
        let edit = FolderEdit(options: options, name: user.name)
        do {
            let outcome = try await app.gate.run { () throws -> FolderEdit.Outcome in
                let rules = try AssetRules(ContentEditor(folder: options.content))
                guard let schema = rules.schema(of: name) else {
                    throw DeskProblem(
                        status: .conflict,
                        text: "\(name) has no schema any more. Nothing was changed.")
                }
                return try edit.save(
                    .asset(name), shown: sent["shown"], subject: "Edit asset \(name)"
                ) { value in
                    let form = AssetForm.make(schema, value)
                    return try form.value(form.typed(sent), in: value)
                }
            }
            if case .conflict = outcome {
                let read = try await app.gate.run { try Read(name, options) }
                return try self.page(page, name, read, isSent: true)
            }
            app.toasts.show(outcome.sentence ?? "", to: user)
            return .redirect(to: Self.path(of: name))
        } catch let refused as EditProblem {
            let read = try await app.gate.run { try Read(name, options) }
            return try self.page(page, name, read, isSent: true, refused: refused)
        }
    }

    // MARK: Pictures

    private func picture(_ page: DeskRequest) async throws -> Response {
        let (name, options) = (try name(page), app.options)
        let bytes = try await app.gate.run {
            try ContentEditor(folder: options.content).read(.asset(name)).fileBytes
        }
        guard let kind = PictureKind(bytes) else { throw HTTPError(.notFound) }
        return Response(
            status: .ok, headers: [.contentType: kind.rawValue],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// The pictures that a page shows, by their first bytes: none of them can hold a script.
enum PictureKind: String {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webP = "image/webp"

    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: Array("GIF8".utf8)) {
            self = .gif
        } else if bytes.starts(with: Array("RIFF".utf8)),
            bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        {
            self = .webP
        } else {
            return nil
        }
    }
}
