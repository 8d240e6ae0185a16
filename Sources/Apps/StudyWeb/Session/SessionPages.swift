import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The pages of sessions: `/session/<id>` leads to the question that is asked, `/session/<id>/<number>` is one.
struct SessionPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.post("/session", use: app.page(begin))
        router.get("/session/:id", use: app.page(current))
        router.get("/session/:id/overview", use: app.page(overview))
        router.get("/session/:id/:number", use: app.page(question))
        router.post("/session/:id/finish", use: app.page(finish))
        router.post("/session/:id/undo", use: app.page(undo))
        router.post("/session/:id/:number", use: app.page(step))
        router.post("/session/:id/:number/favourite", use: app.page(favourite))
    }

    // MARK: Beginning

    private func begin(_ page: PageRequest) async throws -> Response {
        guard let bank = page.form["bank"].flatMap(QuestionFilter.Bank.init(name:)),
            let mode = page.form["mode"].flatMap(SessionMode.init(rawValue:))
        else { throw HTTPError(.badRequest) }
        do {
            var wishes = SessionWishes()
            if mode == .study { wishes.offer = page.form["offer"].flatMap(StudyOffer.Kind.init) }
            let id = try await app.steps.run { [wishes] in
                try await SessionStart(page.services).begin(
                    bank, mode, ratesAnswers: page.isRating, wishes: wishes)
            }
            return .redirect(to: "/session/\(id)")
        } catch let problem as StudyProblem where problem.code == .nothingToAsk {
            // No failure: the first page says that the day is done, and what comes tomorrow.
            return .redirect(to: "/")
        }
    }

    // MARK: Showing

    private func current(_ page: PageRequest) async throws -> Response {
        let id = try page.part("id")
        let model = await SessionModel(page.services, id: id)
        await app.steps.run { await model.load() }
        return try await shown(model, page)
    }

    private func question(_ page: PageRequest) async throws -> Response {
        let index = try index(page)
        let model = await SessionModel(page.services, id: try page.part("id"))
        await app.steps.run { await model.load(at: index) }
        return try await shown(model, page, at: index)
    }

    private func overview(_ page: PageRequest) async throws -> Response {
        let model = await SessionModel(page.services, id: try page.part("id"))
        await app.steps.run { await model.load() }
        guard let screen = await model.screen, screen.mode == .exam else {
            return try await shown(model, page)
        }
        return try await app.render(
            "overview", title: page.words["simulation.overview"], in: nil,
            OverviewView(screen, page.formats), for: page)
    }

    /// Returns the question at its own address, or goes to where it is.
    private func shown(
        _ model: SessionModel, _ page: PageRequest, at index: Int? = nil
    ) async throws -> Response {
        guard let screen = await model.screen else {
            if let problem = await model.problem { throw problem }
            return .redirect(to: "/session/\(model.id)/result")
        }
        // A disk that is full prevents no reading: the next answer says so.
        if let problem = await model.problem, problem.code != .notSaved { throw problem }
        guard screen.index == index else {
            return .redirect(to: "/session/\(model.id)/\(screen.index + 1)")
        }
        return try await rendered(
            screen, page, problem: nil, order: FormFields(queryOf: page.request))
    }

    private func rendered(
        _ screen: SessionScreen, _ page: PageRequest, problem: StudyProblem?,
        order: FormFields? = nil, entry: NumberEntryText? = nil
    ) async throws -> Response {
        let sizes = await PictureSizes(of: screen.images.values, page.services)
        let typed = screen.mode == .exam ? app.typed.text(at: screen.index, of: screen.id) : nil
        let view = SessionView(
            screen, page.formats, sizes: sizes, problem: problem, form: order ?? page.form,
            typed: typed, entry: entry)
        return try await app.render(
            "session", title: view.title, in: nil, view, for: page,
            status: problem == nil && entry == nil ? .ok : .unprocessableContent,
            titleContent: view.content)
    }

    // MARK: Steps

    private func step(_ page: PageRequest) async throws -> Response {
        let index = try index(page)
        let model = await SessionModel(page.services, id: try page.part("id"))
        let form = ResponseForm(page.form, locale: page.words.locale)
        app.typed.keep(form, at: index, of: model.id)
        if let order = form.moved {
            // Without the script an arrow sends the order, and the page comes back with the row moved.
            await app.steps.run { await model.load(at: index) }
            guard let screen = await model.screen, isSeen(screen, index, page) else {
                return await wentOn(model, page)
            }
            return try await rendered(screen, page, problem: nil, order: order)
        }
        if page.form["step"] == nil, let asked = try await asked(form, model, index, page) {
            return asked
        }
        await app.steps.run { await take(page.form, form, model, index) }
        if let problem = await model.problem {
            if problem.code == .changed { return await wentOn(model, page) }
            if problem.code == .ended {
                say(problem, page)
                return .redirect(to: "/session/\(model.id)/result")
            }
            guard let screen = await model.screen else { throw problem }
            let isHere = isSeen(screen, index, page)
            if isHere, screen.verdict != nil {
                // Answered before, here or in another window: what was kept is shown.
                if problem.code == .answeredElsewhere { say(problem, page) }
                return .redirect(to: "/session/\(model.id)/\(index + 1)")
            }
            // What was chosen for one question is never shown at another.
            return try await rendered(
                screen, page, problem: problem, order: isHere ? nil : FormFields(""))
        }
        guard await model.screen != nil else {
            return .redirect(to: "/session/\(model.id)/result")
        }
        switch page.form["step"] {
        case "flag": speak("simulation.flagged", page)
        case "unflag": speak("simulation.unflagged", page)
        default: break
        }
        return .redirect(to: await place(after: page.form, form, model, index))
    }

    /// Leads to the open question of a session in which the place of the form is no more, or has another question.
    private func wentOn(_ model: SessionModel, _ page: PageRequest) async -> Response {
        say(StudyProblem(await model.isOver ? .ended : .changed), page)
        return .redirect(to: "/session/\(model.id)")
    }

    /// True if a screen has the question of the form at its place.
    private func isSeen(_ screen: SessionScreen, _ index: Int, _ page: PageRequest) -> Bool {
        screen.index == index
            && screen.question.id == page.form["question"] ?? screen.question.id
    }

    /// Returns the question with what is asked or said about a typed number that is none, or may be two; `nil` for
    /// a response that can be graded.
    private func asked(
        _ form: ResponseForm, _ model: SessionModel, _ index: Int, _ page: PageRequest
    ) async throws -> Response? {
        do throws(EnteredNumberError) {
            _ = try form.response
            return nil
        } catch {
            await app.steps.run { await model.load(at: index) }
            guard let screen = await model.screen, isSeen(screen, index, page) else {
                return await wentOn(model, page)
            }
            guard screen.verdict == nil else { return try await shown(model, page, at: index) }
            let words = NumberEntryText(error, typed: form.number ?? "", page.formats)
            return try await rendered(screen, page, problem: nil, entry: words)
        }
    }

    /// Takes the step that the pressed button names.
    private func take(
        _ fields: FormFields, _ form: ResponseForm, _ model: SessionModel, _ index: Int
    ) async {
        // A number that cannot be read yet stays in its field.
        let response = (try? form.response) ?? []
        switch fields["step"] {
        case "flag", "unflag":
            await model.flag(at: index, fields["step"] == "flag", keeping: response)
        case "rate":
            guard let rating = fields["rating"].flatMap({ Int($0) }).flatMap(Rating.init) else {
                break
            }
            await model.rate(rating, at: index)
        case "skip": await model.skip(at: index, keeping: response)
        case "previous": await model.goBack(from: index, keeping: response)
        default: await model.answer(response, at: index, of: fields["question"])
        }
    }

    /// Returns the page after a step: the same question with its verdict, or the next one.
    private func place(
        after fields: FormFields, _ form: ResponseForm, _ model: SessionModel, _ index: Int
    ) async -> String {
        let screen = await model.screen
        let stays = ["flag", "unflag"].contains(fields["step"])
        let here = "/session/\(model.id)/\(index + 1)"
        if stays { return here + form.query }
        if screen?.verdict != nil { return here }
        guard let screen, screen.mode == .exam else { return "/session/\(model.id)" }
        let next: Int? =
            switch fields["step"] {
            case "previous": screen.index
            case "skip": screen.index > index ? screen.index : nil
            default: screen.next
            }
        return "/session/\(model.id)/" + (next.map { "\($0 + 1)" } ?? "overview")
    }

    private func favourite(_ page: PageRequest) async throws -> Response {
        let index = try index(page)
        let model = await SessionModel(page.services, id: try page.part("id"))
        await app.steps.run {
            await model.load(at: index)
            let isFavourite = await model.screen?.isFavourite ?? false
            await model.setFavourite(at: index, !isFavourite)
        }
        if let problem = await model.problem {
            guard problem.code == .changed else { throw problem }
            return await wentOn(model, page)
        }
        let isFavourite = await model.screen?.isFavourite ?? false
        speak(isFavourite ? "session.saved" : "favourites.removed", page)
        return .redirect(
            to: "/session/\(model.id)/\(index + 1)"
                + ResponseForm(page.form, locale: page.words.locale).query)
    }

    private func undo(_ page: PageRequest) async throws -> Response {
        guard let key = page.form["undo"] else { throw HTTPError(.badRequest) }
        let model = await SessionModel(page.services, id: try page.part("id"))
        await app.steps.run { await model.undo(key) }
        if let problem = await model.problem {
            guard Self.unsuited.contains(problem.code) else { throw problem }
            say(problem, page)
        } else {
            speak("undo.done", page)
        }
        return .redirect(to: "/session/\(model.id)")
    }

    /// The reasons why an answer is not undone, which are said at the question that is asked now.
    private static let unsuited: Set<StudyProblem.Code> = [
        .changed, .answeredElsewhere, .examNotUndoable, .ofAnotherDay, .nothingToUndo,
    ]

    private func say(_ problem: StudyProblem, _ page: PageRequest) {
        app.toasts.show(.init(sentence: page.words[problem.code.keyInSession]))
    }

    /// Speaks what the page shows, to whoever does not see it.
    private func speak(_ key: String, _ page: PageRequest) {
        app.toasts.show(.init(sentence: page.words[key], isSpokenOnly: true))
    }

    private func finish(_ page: PageRequest) async throws -> Response {
        let model = await SessionModel(page.services, id: try page.part("id"))
        await app.steps.run { await model.finish() }
        if let problem = await model.problem { throw problem }
        return .redirect(to: "/session/\(model.id)/result")
    }

    private func index(_ page: PageRequest) throws -> Int {
        guard let number = Int(try page.part("number")), number > 0 else {
            throw HTTPError(.notFound)
        }
        return number - 1
    }
}
