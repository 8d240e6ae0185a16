import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The learner's settings of scheduling: for all subjects, and with `bank` for one.
struct LearningPages {
    static let path = "/settings/learning"

    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/settings/learning", use: app.page(show))
        router.post("/settings/learning", use: app.page(save))
    }

    private func show(_ page: PageRequest) async throws -> Response {
        let (_, screen) = try await loaded(page, FormFields(queryOf: page.request))
        return try await render(
            LearningView(LearningForm(screen.settings), screen, page.formats), page)
    }

    private func save(_ page: PageRequest) async throws -> Response {
        let (model, screen) = try await loaded(page, page.form)
        var said = page.words["settings.changed"]
        if page.form["reset"] != nil {
            await model.reset()
        } else if page.form["optimise"] != nil {
            said =
                await model.optimise()?.sentence(page.formats) ?? screen.memorySentence(page.words)
        } else {
            guard let form = LearningForm(page.form, screen) else { throw HTTPError(.badRequest) }
            let (settings, wrong) = form.applied(to: screen.settings)
            guard wrong.isEmpty else {
                return try await render(
                    LearningView(form, screen, page.formats, wrong: wrong), page,
                    status: .unprocessableContent)
            }
            if page.form["priced"] != form.texts[.retention],
                let price = await model.price(of: settings)
            {
                return try await render(
                    LearningView(form, screen, page.formats, price: price), page)
            }
            await model.save(settings)
        }
        if let problem = await model.problem { throw problem }
        app.toasts.show(.init(sentence: said))
        return .redirect(to: LearningView.address(screen.subject))
    }

    private func loaded(
        _ page: PageRequest, _ fields: FormFields
    ) async throws -> (LearningModel, LearningScreen) {
        let name = fields["bank"] ?? ""
        let bank = QuestionFilter.Bank(name: name)
        guard name.isEmpty || bank != nil else { throw HTTPError(.notFound) }
        let model = await LearningModel(page.services, bank: bank)
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        return (model, screen)
    }

    private func render(
        _ view: LearningView, _ page: PageRequest, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try await app.render(
            "settings_learning", title: page.words["learning.title"], in: .settings, view,
            for: page, status: status)
    }
}

extension LearningForm {
    /// Reads a sent form; `nil` with a value that the page does not offer.
    init?(_ form: FormFields, _ screen: LearningScreen) {
        self.init(screen.settings)
        let days = form.all("day").compactMap { Int($0) }
        guard EasyDays(days) != nil else { return nil }
        easyDays = days
        if let text = form["rolloverHour"] {
            guard let hour = Int(text), (0...23).contains(hour) else { return nil }
            rolloverHour = hour
        }
        newDespiteBacklog = form["backlog"] == "on"
        spreads = form["spreads"] == "on"
        repeatsToday = form["repeats"] == "on"
        if screen.subject == nil { optimises = form["optimises"] == "on" }
        for field in Self.numbers { texts[field] = form[field.rawValue] ?? "" }
    }
}
