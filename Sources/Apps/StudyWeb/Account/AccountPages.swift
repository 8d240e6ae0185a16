import Foundation
import HTTPTypes
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The pages of the account: each form is sent to the address of its page.
///
/// A password goes from the form to the model and nowhere else: no view has a place for one.
struct AccountPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/account", use: app.page(account))
        router.get("/account/export", use: app.page(export))
        router.get("/account/answers", use: app.page(answers))
        for form in AccountStep.allCases {
            router.get("\(form.path)", use: app.page { try await show(form, $0) })
            router.post("\(form.path)", use: app.page { try await take(form, $0) })
        }
    }

    private func account(_ page: PageRequest) async throws -> Response {
        let screen = try await screen(AccountModel(page.services))
        return try await app.render(
            "account", title: page.words["settings.account"], in: .settings,
            AccountView(screen, page.formats), for: page)
    }

    private func export(_ page: PageRequest) async throws -> Response {
        let model = await AccountModel(page.services)
        guard let data = await model.export() else {
            throw await model.studyProblem ?? StudyProblem(.notFound)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/json",
                .contentDisposition: "attachment; filename=\"underway-export.json\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Returns the answers as a table, which is sent while it is read.
    private func answers(_ page: PageRequest) async throws -> Response {
        // A store that cannot be read has a page; later a failure ends the connection, so the file is incomplete.
        _ = try await page.services.userData.perform { try $0.answers(limit: 1) }
        let sheet = AnswerSheet(page.services.content, page.services.userData, page.formats)
        return Response(
            status: .ok,
            headers: [
                .contentType: AnswerSheet.type,
                .contentDisposition: "attachment; filename=\"\(AnswerSheet.fileName)\"",
            ],
            body: ResponseBody { writer in
                for try await part in sheet {
                    try await writer.write(ByteBuffer(bytes: part.bytes))
                }
                try await writer.finish(nil)
            })
    }

    // MARK: Forms

    private func show(_ form: AccountStep, _ page: PageRequest) async throws -> Response {
        let screen = try await screen(AccountModel(page.services))
        guard form.isOpen(to: screen.identity) else { return .redirect(to: "/account") }
        return try await rendered(form, screen, page, problem: nil)
    }

    private func take(_ form: AccountStep, _ page: PageRequest) async throws -> Response {
        let model = await AccountModel(page.services)
        let screen = try await screen(model)
        guard form.isOpen(to: screen.identity) else { return .redirect(to: "/account") }
        if form == .signIn, screen.hasData, BroughtData(page.form["bring"]) == nil {
            return try await rendered(
                form, screen, page, problem: page.words["account.bringChoose"])
        }
        let isDone = await app.accountSteps.run { await perform(form, model, page.form) }
        guard isDone else {
            return try await rendered(
                form, try await self.screen(model), page, problem: await model.sentence(page.words))
        }
        app.toasts.show(.init(sentence: page.words[form.doneKey]))
        if form == .signIn || form == .create { app.syncInBackground() }
        return .redirect(to: "/account")
    }

    private func perform(
        _ form: AccountStep, _ model: AccountModel, _ fields: FormFields
    ) async -> Bool {
        switch form {
        case .signIn:
            await model.signIn(
                email: fields["email"] ?? "", password: fields["password"] ?? "",
                bringing: BroughtData(fields["bring"]) ?? .nothing)
        case .create:
            await model.create(
                email: fields["email"] ?? "", password: fields["password"] ?? "")
        case .signOut:
            await model.signOut(fields["choice"].flatMap(SignOutChoice.init) ?? .send)
        case .delete: await model.delete(typedName: fields["name"] ?? "")
        }
    }

    private func screen(_ model: AccountModel) async throws -> AccountScreen {
        await model.load()
        guard let screen = await model.screen else {
            throw await model.studyProblem ?? StudyProblem(.notFound)
        }
        return screen
    }

    private func rendered(
        _ form: AccountStep, _ screen: AccountScreen, _ page: PageRequest, problem: String?
    ) async throws -> Response {
        try await app.render(
            form.template, title: page.words[form.titleKey], in: .settings,
            AccountFormView(form, screen, page.formats, page.form, problem: problem), for: page,
            status: problem == nil ? .ok : .unprocessableContent)
    }
}

extension AccountStep {
    /// The address of its form.
    var path: String { "/account/\(rawValue)" }

    var template: String { "account_" + rawValue.replacing("-", with: "_") }
}

extension AccountModel {
    /// The problem that has a page of its own; `nil` for one of a form.
    fileprivate var studyProblem: StudyProblem? {
        guard case .other(let problem)? = problem else { return nil }
        return problem
    }

    /// Returns the sentence about the last failure.
    fileprivate func sentence(_ words: StudyText) -> String {
        problem?.sentence(words) ?? words["errors.title"]
    }
}

extension BroughtData {
    /// Reads the choice in a form; `nil` without one.
    fileprivate init?(_ field: String?) {
        switch field {
        case "everything": self = .everything
        case "nothing": self = .nothing
        default: return nil
        }
    }
}
