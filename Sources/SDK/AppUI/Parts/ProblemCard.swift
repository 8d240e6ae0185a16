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
            Text(verbatim: formats.words[problem.code.key])
            if !problem.details.isEmpty {
                DisclosureGroup(formats.words["app.details"]) { Text(verbatim: problem.details) }
                    .font(StudyStyle.small)
            }
        }
        .studyCard()
    }
}
#endif
