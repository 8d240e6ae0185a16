#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
public import SwiftUI

/// A chart of shares with their names: one bar a row, with the numbers beside it in words.
public struct ShareBars: View {
    /// A share of a whole.
    public struct Row: Sendable, Hashable, Identifiable {
        /// The id of the row.
        public var id: String
        /// The name of the row.
        public var title: String
        /// The part.
        public var part: Int
        /// The whole.
        public var total: Int

        /// Creates a share.
        public init(id: String, title: String, part: Int, total: Int) {
            self.id = id
            self.title = title
            self.part = part
            self.total = total
        }
    }

    private let rows: [Row]
    @Environment(\.studyFormats) private var formats

    /// Creates rows of shares.
    public init(_ rows: [Row]) { self.rows = rows }

    /// The rows.
    public var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            ForEach(rows) { row in
                VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                    HStack(alignment: .firstTextBaseline) {
                        Text(verbatim: row.title).frame(maxWidth: .infinity, alignment: .leading)
                        Text(verbatim: share(row)).font(StudyStyle.small).monospacedDigit()
                            .foregroundStyle(StudyColor.soft)
                    }
                    ProgressView(value: Double(row.part), total: Double(max(1, row.total)))
                        .tint(StudyColor.accent)
                        .accessibilityHidden(true)
                }
                .accessibilityElement(children: .combine)
            }
        }
    }

    private func share(_ row: Row) -> String {
        formats.words.text(
            "app.share",
            ["part": formats.number(row.part), "total": formats.number(row.total)])
    }
}
#endif
