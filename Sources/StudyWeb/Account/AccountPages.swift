import Foundation
import HTTPTypes
import Hummingbird
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
        for form in AccountForm.allCases {
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

    // MARK: Forms

    private func show(_ form: AccountForm, _ page: PageRequest) async throws -> Response {
        let screen = try await screen(AccountModel(page.services))
        guard form.isOpen(to: screen.identity) else { return .redirect(to: "/account") }
        return try await rendered(form, screen, page, problem: nil)
    }

    private func take(_ form: AccountForm, _ page: PageRequest) async throws -> Response {
        let model = await AccountModel(page.services)
        let screen = try await screen(model)
        guard form.isOpen(to: screen.identity) else { return .redirect(to: "/account") }
        if form == .signIn, screen.hasData, BroughtData(page.form["bring"]) == nil {
            return try await rendered(
                form, screen, page, problem: page.words["account.bringChoose"])
        }
        let isDone = await app.steps.run { await perform(form, model, page.form) }
        guard isDone else {
            return try await rendered(
                form, try await self.screen(model), page, problem: await model.sentence(page.words))
        }
        app.toasts.show(.init(sentence: page.words[form.doneKey]))
        if form == .signIn || form == .create { app.syncInBackground() }
        return .redirect(to: "/account")
    }

    private func perform(
        _ form: AccountForm, _ model: AccountModel, _ fields: FormFields
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
        _ form: AccountForm, _ screen: AccountScreen, _ page: PageRequest, problem: String?
    ) async throws -> Response {
        try await app.render(
            form.template, title: page.words[form.titleKey], in: .settings,
            AccountFormView(form, screen, page.formats, page.form, problem: problem), for: page,
            status: problem == nil ? .ok : .unprocessableContent)
    }
}

/// The forms of the account.
enum AccountForm: String, CaseIterable, Sendable {
    case signIn = "sign-in"
    case create
    case signOut = "sign-out"
    case delete

    var path: String { "/account/\(rawValue)" }

    var template: String { "account_" + rawValue.replacing("-", with: "_") }

    /// The key of the page's heading.
    var titleKey: String {
        switch self {
        case .signIn: "account.signIn"
        case .create: "account.create"
        case .signOut: "account.signOut"
        case .delete: "account.delete"
        }
    }

    /// The key of the sentence after it was done.
    var doneKey: String {
        switch self {
        case .signIn: "account.signedIn"
        case .create: "account.created"
        case .signOut: "account.signedOut"
        case .delete: "account.deleted"
        }
    }

    /// Returns true when a form makes sense for an account.
    func isOpen(to identity: StudyIdentity) -> Bool {
        guard identity.hasServer else { return false }
        return switch self {
        case .signIn, .create: identity.kind != .named
        case .signOut: identity.kind == .named
        case .delete: identity.kind != .local
        }
    }
}

extension AccountModel {
    /// The problem that has a page of its own; `nil` for one of a form.
    fileprivate var studyProblem: StudyProblem? {
        guard case .other(let problem)? = problem else { return nil }
        return problem
    }

    /// Returns the sentence about the last failure.
    fileprivate func sentence(_ words: StudyWords) -> String {
        switch problem {
        case .signInFailed: words["account.signInFailed"]
        case .createFailed: words["account.createFailed"]
        case .nameMismatch: words["account.deleteMismatch"]
        case .notSent: words["account.notSent"]
        case .notDeleted: words["account.notDeleted"]
        case .other(let problem): words[problem.code.key]
        case nil: words["errors.title"]
        }
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
