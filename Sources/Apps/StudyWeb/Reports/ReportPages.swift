import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The report of a question: written after its check or in a review, changed, and taken back.
struct ReportPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/session/:id/:number/report", use: app.page(report))
        router.post("/session/:id/:number/report", use: app.page(change))
    }

    /// Returns the address of a question's report.
    ///
    /// - Parameters:
    ///   - session: The session's id.
    ///   - index: The place of the question.
    ///   - origin: The page from which the report is written.
    ///   - reason: The reason that is chosen on the form; `nil` for none.
    /// - Returns: The path, with a query where one is needed.
    static func path(
        _ session: String, _ index: Int, from origin: ReportScreen.Origin,
        reason: QuestionReport.Reason? = nil
    ) -> String {
        let parts = [
            origin == .question ? nil : "from=\(origin.rawValue)",
            reason.map { "reason=\($0.rawValue)" },
        ].compactMap(\.self)
        let path = "/session/\(session)/\(index + 1)/report"
        return parts.isEmpty ? path : path + "?" + parts.joined(separator: "&")
    }

    private func model(_ page: PageRequest) async throws -> ReportModel {
        guard let number = Int(try page.part("number")), number > 0 else {
            throw HTTPError(.notFound)
        }
        let origin = page.query("from").flatMap(ReportScreen.Origin.init) ?? .question
        return await ReportModel(
            page.services, session: try page.part("id"), index: number - 1, origin: origin)
    }

    private func report(_ page: PageRequest) async throws -> Response {
        let model = try await model(page)
        await model.load()
        return try await shown(model, page, draft: nil)
    }

    private func change(_ page: PageRequest) async throws -> Response {
        let model = try await model(page)
        let draft = ReportDraft(page.form)
        if let value = page.form["undo"] {
            guard let undo = ReportUndo(value) else { throw HTTPError(.badRequest) }
            await app.steps.run { await model.restore(undo.former) }
        } else if page.form["action"] == "takeBack" {
            await app.steps.run { await model.takeBack() }
        } else {
            await app.steps.run { await model.send(draft) }
        }
        guard await model.refusal == nil else {
            return try await shown(model, page, draft: draft)
        }
        if let problem = await model.problem { throw problem }
        await announce(model, page)
        return .redirect(to: ReportView.origin(of: model))
    }

    /// Says on the next page what was done, with its Undo.
    private func announce(_ model: ReportModel, _ page: PageRequest) async {
        let undo: ReportUndo?
        let key: String
        switch await model.outcome {
        case .stored(let former): (key, undo) = ("report.thanks", ReportUndo(former))
        case .takenBack(let report): (key, undo) = ("report.takenBack", ReportUndo(report))
        case .unchanged where page.form["action"] == nil: (key, undo) = ("report.thanks", nil)
        case .unchanged, .restored, nil: return
        }
        let action = Self.path(model.session, model.index, from: model.origin)
        app.toasts.show(
            .init(
                sentence: page.words[key],
                undo: undo.map {
                    .init(action: action, title: page.words["app.undo"], value: $0.value)
                }))
    }

    private func shown(
        _ model: ReportModel, _ page: PageRequest, draft: ReportDraft?
    ) async throws -> Response {
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        let refusal = await model.refusal
        let isSaid = screen.report != nil && page.query("change") == nil
        let begun =
            isSaid
            ? nil
            : screen.report.map { ReportDraft($0) }
                ?? ReportDraft(reason: page.query("reason").flatMap(QuestionReport.Reason.init))
        let view = ReportView(screen, page.formats, refusal: refusal, draft: draft ?? begun)
        return try await app.render(
            "report", title: view.title, in: .library, view, for: page,
            status: refusal == nil ? .ok : .unprocessableContent)
    }
}

extension ReportDraft {
    /// Reads the fields of the form; an unknown reason is none.
    init(_ form: FormFields) {
        self.init(
            reason: form["reason"].flatMap(QuestionReport.Reason.init), text: form["text"] ?? "")
    }
}

/// The previous state of a question's report, as text for an undo.
struct ReportUndo: Hashable {
    /// The report; `nil` for none.
    var former: QuestionReport?

    init(_ former: QuestionReport?) { self.former = former }

    /// Reads a value; `nil` for one that this page did not write.
    init?(_ value: String) {
        guard value != Self.none else {
            former = nil
            return
        }
        let parts = value.split(separator: " ", omittingEmptySubsequences: false)
            .map { $0.removingPercentEncoding ?? "" }
        guard parts.count == 5, let reason = QuestionReport.Reason(rawValue: parts[3]) else {
            return nil
        }
        former = QuestionReport(
            bank: parts[0], question: parts[1], version: parts[2], reason: reason,
            text: parts[4])
    }

    /// Bank, question, version, reason and text, encoded, with spaces between; "-" for no report.
    var value: String {
        guard let former else { return Self.none }
        return [
            former.bank, former.question, former.version, former.reason.rawValue, former.text,
        ].map { $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
            .joined(separator: " ")
    }

    private static let none = "-"
}
