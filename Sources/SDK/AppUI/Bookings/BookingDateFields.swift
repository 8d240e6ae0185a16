#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// The day and the time of an exam; without a time the whole day counts.
struct BookingDateFields: View {
    private let now: Date
    @Binding private var date: BookingDate
    @Environment(\.studyFormats) private var formats

    init(_ date: Binding<BookingDate>, now: Date) {
        _date = date
        self.now = now
    }

    var body: some View {
        DatePicker(
            formats.words["booking.date"], selection: $date[day: formats.calendar, now: now],
            displayedComponents: .date)
        Toggle(formats.words["booking.clock"], isOn: $date.hasTime)
        if !date.hasTime {
            Text(verbatim: formats.words["booking.clockHint"])
                .font(StudyStyle.small).foregroundStyle(StudyColor.soft)
        } else {
            DatePicker(
                formats.words["booking.clock"], selection: $date[time: formats.calendar, now: now],
                displayedComponents: .hourAndMinute)
        }
    }
}
#endif
