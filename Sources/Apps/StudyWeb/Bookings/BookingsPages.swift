import Foundation
import Hummingbird
import PageRendering
import StudyModel
import Underway

/// The exam dates: book, move, cancel, and take back what was cancelled.
struct BookingsPages {
    let app: StudyWebApp

    func addRoutes(to router: Router<StudyContext>) {
        router.get("/bookings", use: app.page(bookings))
        router.post("/bookings", use: app.page(change))
    }

    private func bookings(_ page: PageRequest) async throws -> Response {
        try await shown(BookingsModel(page.services), page)
    }

    private func change(_ page: PageRequest) async throws -> Response {
        let model = await BookingsModel(page.services)
        let date = BookingDate(day: page.form["day"] ?? "", time: page.form["time"] ?? "")
        let id = page.form["exam"] ?? ""
        if let undo = page.form["undo"] {
            try await restore(undo, model)
        } else {
            switch page.form["action"] {
            case "book": await model.book(id, on: date)
            case "move": await model.move(id, to: date)
            case "cancel": await model.cancel(id)
            default: throw StudyProblem(.noResponse)
            }
        }
        if let problem = await model.problem { throw problem }
        guard await model.refusal == nil else { return try await shown(model, page) }
        if page.form["undo"] == nil { await announce(model, id, page) }
        return .redirect(to: "/bookings")
    }

    private func restore(_ undo: String, _ model: BookingsModel) async throws {
        guard let former = BookingUndo(undo) else { throw StudyProblem(.notFound) }
        await model.restore(former.id, former.date, status: former.status)
    }

    /// Says on the next page what was done, with its Undo where there was something before.
    private func announce(_ model: BookingsModel, _ id: String, _ page: PageRequest) async {
        guard let booked = await model.booked else { return }
        let former = await model.former
        let isCancelled = page.form["action"] == "cancel"
        let date = page.formats.text(booked, now: page.services.clock())
        let undo = former.map { former in
            PageFrame.Toast.Undo(
                action: "/bookings", title: page.words["app.undo"],
                value: BookingUndo(id: id, date: former.date, status: former.status).text)
        }
        app.toasts.show(
            .init(
                sentence: page.words.text(
                    isCancelled ? "booking.cancelled" : "booking.booked", ["date": date]),
                undo: undo))
    }

    private func shown(_ model: BookingsModel, _ page: PageRequest) async throws -> Response {
        await model.load()
        if let problem = await model.problem { throw problem }
        guard let screen = await model.screen else { throw HTTPError(.notFound) }
        let refusal = await model.refusal
        let view = BookingsView(screen, refusal, page)
        return try await app.render(
            "bookings", title: page.words["booking.title"], in: .today, view, for: page,
            status: refusal == nil ? .ok : .unprocessableContent)
    }
}

/// A reservation as it was, in the text of an Undo: date, status and id with spaces between.
struct BookingUndo: Hashable {
    var id: String
    var date: ExamDate
    var status: Reservation.Status

    init(id: String, date: ExamDate, status: Reservation.Status) {
        (self.id, self.date, self.status) = (id, date, status)
    }

    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let date = ExamDate(String(parts[0])),
            let status = Reservation.Status(rawValue: String(parts[1]))
        else { return nil }
        self.init(id: String(parts[2]), date: date, status: status)
    }

    var text: String { "\(date.text) \(status.rawValue) \(id)" }
}
