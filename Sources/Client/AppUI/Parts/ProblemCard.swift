#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// A problem in words: what happened, and the details on request.
struct ProblemCard: View {
    private let problem: StudyProblem
    @Environment(\.studyFormats) private var formats

    init(_ problem: StudyProblem) { self.problem = problem }

    var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Label(formats.words["errors.title"], systemImage: "exclamationmark.triangle")
                .font(StudyStyle.cardHeading).foregroundStyle(StudyColor.wrong)
            Text(verbatim: SessionWords(formats: formats).sentence(problem))
            if !problem.details.isEmpty {
                DisclosureGroup(formats.words["app.details"]) { Text(verbatim: problem.details) }
                    .font(StudyStyle.small)
            }
        }
        .studyCard()
    }
}

extension StudyFormats {
    /// Returns the day of an exam, with the time where it is known; a text that is no date as it is.
    func text(_ date: ExamDate, now: Date) -> String {
        guard let start = date.start(in: calendar.timeZone) else { return date.text }
        return date.isDay ? self.date(start, now: now) : dateAndTime(start, now: now)
    }
}
#endif
