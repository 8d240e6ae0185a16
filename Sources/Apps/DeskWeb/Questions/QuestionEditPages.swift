import Accounts
import ContentModel
import ContentServer
import HTTPTypes
import Hummingbird
import PageRendering
import Publishing

/// The page of one question: it is edited, checked while it is typed, and saved to the content folder.
struct QuestionEditPages {
    let app: DeskApp

    /// The most bytes of a form: of 64 options with long texts.
    private static let formBytesMax = 2 * 1024 * 1024

    var routes: [DeskRoute] {
        let path = "/questions/:bank/:id"
        return [
            .get(path, .roles([.author, .publisher]), show),
            .post(path, .roles([.author]), formBytesMax: Self.formBytesMax, save),
            .get(path + "/check", .roles([.author, .publisher]), redirect),
            .post(path + "/check", .roles([.author]), formBytesMax: Self.formBytesMax, check),
            .post(path + "/delete", .roles([.author]), formBytesMax: Self.formBytesMax, delete),
        ]
    }

    private func show(_ page: DeskRequest) async throws -> Response {
        let place = try await QuestionPlace(page)
        let base = place.question.value
        guard let name = page.query("from") else {
            return try self.page(page, place, place.shown, base: base)
        }
        guard let origin = QuestionOrigin(name) else { throw HTTPError(.notFound) }
        let options = app.options
        let brought = try await app.gate.run { try BroughtBack(origin, of: place, options) }
        return try self.page(page, place, brought.form, base: base, brought: brought.note)
    }

    /// Leads from the page of a check, when it is loaded again, to the question.
    private func redirect(_ page: DeskRequest) async throws -> Response {
        let place = try await QuestionPlace(page)
        return .redirect(to: place.path)
    }

    private func check(_ page: DeskRequest) async throws -> Response {
        let place = try await QuestionPlace(page)
        var typed = QuestionForm(page.form, shown: place.shown)
        if let action = page.form["do"] { _ = typed.perform(action) }
        return try self.page(page, place, typed, base: try base(page))
    }

    /// Removes a question that was never released; nobody has answered it.
    private func delete(_ page: DeskRequest) async throws -> Response {
        let (user, place) = (try page.signedIn(), try await QuestionPlace(page))
        let (name, options) = (place.name, app.options)
        guard place.bank.released(name.id) == nil else {
            throw DeskProblem(
                status: .conflict,
                text:
                    "\(name.id) is in the release, and answers name it. Retire it instead. Nothing was changed."
            )
        }
        let base = try base(page)
        let saving = QuestionSaving(folder: options.content, author: user.name)
        let note = try await app.gate.run { () throws -> String? in
            let editor = try ContentEditor(folder: options.content)
            let part = try editor.read(.question(id: name.id, bank: name.bank))
            guard let value = part.value,
                !QuestionMerge(base: base, mine: base, other: value).hasOther
            else {
                throw DeskProblem(
                    status: .conflict,
                    text:
                        "Somebody else changed \(name.id) meanwhile. Nothing was deleted; look at it again."
                )
            }
            let change = try editor.removing(name.id, from: name.bank)
            try editor.save(change)
            return saving.commit(change.file, "Delete \(name.id) from \(name.bank)")
        }
        app.toasts.show(note ?? "\(name.id) is deleted. It was never published.", to: user)
        return .redirect(
            to: "\(DeskSection.questions.path)?bank=\(QuestionFilter.encoded(name.bank))")
    }

    private func save(_ page: DeskRequest) async throws -> Response {
        let (user, place) = (try page.signedIn(), try await QuestionPlace(page))
        let typed = QuestionForm(page.form, shown: place.shown)
        let (name, base) = (place.name, try base(page))
        let path = place.path
        let saving = QuestionSaving(folder: app.options.content, author: user.name)
        let outcome: QuestionSaving.Outcome
        do {
            outcome = try await app.gate.run { try saving.save(typed, name, base: base) }
        } catch let error as PublishingError {
            // The page keeps what was typed, whatever the folder says.
            outcome = .refused(error.message)
        }
        switch outcome {
        case .same:
            app.toasts.show("Nothing was changed.", to: user)
            return .redirect(to: path)
        case .saved(let file, let note):
            app.toasts.show(note ?? "Saved to \(file). It is not published yet.", to: user)
            return .redirect(to: path)
        case .conflict(let both):
            // What is in the file now is what a second save goes over.
            let (now, mine) = (try await QuestionPlace(page), QuestionForm(both))
            let conflict = QuestionConflict(mine: mine, other: now.shown, href: path)
            return try self.page(
                page, now, mine, base: now.question.value, conflict: conflict, status: .conflict)
        case .refused(let problem):
            return try self.page(
                page, place, typed, base: base, problem: problem, status: .conflict)
        }
    }

    /// Returns the question that the author saw, as the form brings it back.
    ///
    /// - Throws: `HTTPError` 400 for a form that no page of the desk sent.
    private func base(_ page: DeskRequest) throws -> JSONValue {
        guard let text = page.form["base"],
            let base = try? JSONParser.parse(Array(text.utf8)).value, case .object = base
        else { throw HTTPError(.badRequest) }
        return base
    }

    private func page(
        _ page: DeskRequest, _ place: QuestionPlace, _ form: QuestionForm, base: JSONValue,
        conflict: QuestionConflict? = nil, problem: String? = nil, brought: String? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let user = try page.signedIn()
        let view = QuestionEditView(
            .init(
                bank: place.bank, question: place.question, form: form, base: base,
                conflict: conflict, problem: problem, brought: brought,
                canEdit: user.roles.contains(.author), user: user.id,
                back:
                    "\(DeskSection.questions.path)?bank=\(QuestionFilter.encoded(place.bank.name))")
        )
        return try app.render(
            "desk_question", title: place.question.id, in: .questions, view, for: page,
            status: status)
    }
}
