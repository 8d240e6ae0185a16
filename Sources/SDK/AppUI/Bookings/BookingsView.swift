#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
public import Underway

/// The screen of exam dates: book, move, cancel, and undo the last step.
public struct BookingsView: View {
    /// A step that a control asked for.
    private enum Step: Equatable {
        case book(String, BookingDate)
        case move(String, BookingDate)
        case cancel(String)
        case undo

        /// The record of the step; `nil` for the step that undoes another.
        var id: String? {
            switch self {
            case .book(let id, _), .move(let id, _), .cancel(let id): id
            case .undo: nil
            }
        }
    }

    private let model: BookingsModel
    private let sends: Bool
    private let decide: @MainActor (RecordKey) -> Void
    @State private var step: Step?
    /// The step that was taken last, whose refusal is shown at its fields.
    @State private var last: Step?
    /// The date whose fields are open.
    @State private var moving: String?
    @State private var moved = BookingDate(day: "", time: "")
    @State private var exam = ""
    @State private var booked = BookingDate(day: "", time: "")
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The exam dates.
    ///   - sends: True on a device whose server accepts exam dates.
    ///   - decide: Opens the conflict of a record.
    public init(
        _ model: BookingsModel, sends: Bool, decide: @escaping @MainActor (RecordKey) -> Void
    ) {
        self.model = model
        self.sends = sends
        self.decide = decide
    }

    /// The screen.
    public var body: some View {
        Form {
            if let problem = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                done(screen)
                content(screen)
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .formStyle(.grouped)
        .navigationTitle(formats.words["booking.title"])
        .task { await model.load() }
        .performs($step) { await take($0) }
    }

    /// The sentence about the last step, with its Undo.
    @ViewBuilder
    private func done(_ screen: BookingsScreen) -> some View {
        if let last, last != .undo, model.refusal == nil, let date = model.booked {
            Section {
                Text(verbatim: sentence(last, formats.text(date, now: screen.now)))
                if model.former != nil {
                    Button(formats.words["app.undo"]) { ask(.undo) }
                }
            }
        }
    }

    private func sentence(_ step: Step, _ date: String) -> String {
        if case .cancel = step { return formats.words.text("booking.cancelled", ["date": date]) }
        return formats.words.text("booking.booked", ["date": date])
    }

    @ViewBuilder
    private func content(_ screen: BookingsScreen) -> some View {
        Section(formats.words[screen.upcoming.isEmpty ? "booking.empty" : "booking.upcoming"]) {
            ForEach(screen.upcoming) { booking in
                row(booking, screen.now)
                if moving == booking.id { moveFields(booking, screen.now) }
            }
        }
        if !screen.exams.isEmpty {
            book(screen)
        } else if screen.upcoming.isEmpty {
            Section { Text(verbatim: formats.words["booking.noExams"]) }
        }
        if !screen.earlier.isEmpty {
            Section(formats.words["booking.earlier"]) {
                ForEach(screen.earlier) { booking in
                    let words = words(booking, screen.now)
                    RowText(
                        booking.title, [words.when, words.status, words.waiting].compactMap { $0 })
                }
            }
        }
    }

    private func words(_ booking: BookingsScreen.Booking, _ now: Date) -> BookingText {
        BookingText(booking, now: now, sends: sends, formats)
    }

    @ViewBuilder
    private func row(_ booking: BookingsScreen.Booking, _ now: Date) -> some View {
        let words = words(booking, now)
        RowText(booking.title, [words.when, words.status, words.waiting].compactMap { $0 })
        if let conflict = words.conflict {
            Button(conflict) { decide(RecordKey(Reservation.collection.name, booking.id)) }
        }
        Button(formats.words["booking.move"]) { open(booking) }
            .accessibilityLabel(words.moveName)
        Button(formats.words["booking.cancelDate"], role: .destructive) { ask(.cancel(booking.id)) }
            .accessibilityLabel(words.cancelName)
    }

    @ViewBuilder
    private func moveFields(_ booking: BookingsScreen.Booking, _ now: Date) -> some View {
        BookingDateFields($moved, now: now)
        if case .move(booking.id, _)? = last { refusal }
        Button(formats.words["booking.move"]) { ask(.move(booking.id, moved)) }
            .buttonStyle(.studyOutlined)
    }

    private func book(_ screen: BookingsScreen) -> some View {
        Section(formats.words["today.bookDate"]) {
            Picker(formats.words["booking.exam"], selection: $exam) {
                ForEach(screen.exams) { Text(verbatim: $0.title).tag($0.id) }
            }
            .pickerStyle(.menu)
            BookingDateFields($booked, now: screen.now)
            if case .book? = last { refusal }
            Button(formats.words["booking.book"]) { ask(.book(exam, booked)) }
                .buttonStyle(.studyFilled)
        }
        .onChange(of: screen.exams, initial: true) {
            if booked.day.isEmpty {
                booked = BookingDate(dayOf: screen.now, calendar: formats.calendar)
            }
            if !screen.exams.contains(where: { $0.id == exam }) {
                exam = screen.exams.first?.id ?? ""
            }
        }
    }

    @ViewBuilder private var refusal: some View {
        if let refusal = model.refusal { ProblemLine(formats.words[refusal.key]) }
    }

    /// Opens the fields of a date with what is booked, or closes them.
    private func open(_ booking: BookingsScreen.Booking) {
        moved = BookingDate(booking.date, calendar: formats.calendar)
        moving = moving == booking.id ? nil : booking.id
    }

    // MARK: Steps

    /// Requests a step; it has no effect while one is under way.
    private func ask(_ wanted: Step) { if step == nil { step = wanted } }

    private func take(_ step: Step) async {
        switch step {
        case .book(let exam, let date): await model.book(exam, on: date)
        case .move(let id, let date): await model.move(id, to: date)
        case .cancel(let id): await model.cancel(id)
        case .undo: await undo()
        }
        guard model.problem == nil else { return last = nil }
        last = step
        if model.refusal == nil { moving = nil }
        await model.load()
    }

    /// Undoes the last step.
    private func undo() async {
        guard let former = model.former, let id = last?.id else { return }
        await model.restore(id, former.date, status: former.status)
    }
}
#endif
