#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import SwiftUI

/// The text of a row: a title, and lines below it.
struct RowText: View {
    private let title: String
    private let details: [String]

    /// Shows a title with its lines, except empty ones.
    init(_ title: String, _ details: [String] = []) {
        self.title = title
        self.details = details.filter { !$0.isEmpty }
    }

    var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            Text(verbatim: title).foregroundStyle(StudyColor.ink)
            ForEach(Array(details.enumerated()), id: \.offset) { line in
                Text(verbatim: line.element).font(StudyStyle.small)
                    .foregroundStyle(StudyColor.soft)
            }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }
}

/// A sentence about a step that was not taken.
struct ProblemLine: View {
    private let sentence: String

    init(_ sentence: String) { self.sentence = sentence }

    var body: some View {
        Label(sentence, systemImage: "exclamationmark.triangle")
            .foregroundStyle(StudyColor.wrong)
    }
}
#endif
