#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
public import SwiftUI

/// The numbers of a chart as texts, for a table with the same content as the drawing.
public struct ChartTable: Sendable, Hashable {
    /// A row of a table.
    public struct Row: Sendable, Hashable, Identifiable {
        /// The place of the row, from 0.
        public let id: Int
        /// The cells, as many as there are columns.
        public let cells: [String]
    }

    /// The headings of the columns.
    public let columns: [String]
    /// The rows.
    public let rows: [Row]

    /// Creates a table of cells, row by row.
    public init(columns: [String], _ rows: [[String]]) {
        self.columns = columns
        self.rows = rows.enumerated().map { Row(id: $0.offset, cells: $0.element) }
    }
}

/// A chart with its finding as heading, and its table instead of it on request.
public struct ChartCard<Drawing: View>: View {
    private let finding: String
    private let hint: String
    private let table: ChartTable
    private let drawing: Drawing
    @State private var showsTable = false
    @Environment(\.studyFormats) private var formats

    /// Creates a card.
    ///
    /// - Parameters:
    ///   - finding: The finding of the chart, as a sentence.
    ///   - hint: The unit, or instructions for reading the drawing.
    ///   - table: The same numbers.
    ///   - drawing: The chart.
    public init(
        finding: String, hint: String, table: ChartTable, @ViewBuilder drawing: () -> Drawing
    ) {
        self.finding = finding
        self.hint = hint
        self.table = table
        self.drawing = drawing()
    }

    /// The card.
    public var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                Text(verbatim: finding).font(StudyStyle.cardHeading)
                    .accessibilityAddTraits(.isHeader)
                Text(verbatim: hint).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
            }
            if showsTable {
                ChartTableView(table)
            } else {
                drawing
                    .accessibilityElement(children: .ignore)
                    .accessibilityLabel(finding)
                    .accessibilityAddTraits(.isImage)
            }
            Button(formats.words[showsTable ? "app.showChart" : "app.showTable"]) {
                showsTable.toggle()
            }
            .accessibilityLabel(
                "\(formats.words[showsTable ? "app.showChart" : "app.showTable"]): \(finding)"
            )
            .font(StudyStyle.small)
            .foregroundStyle(StudyColor.accent)
            .frame(minHeight: StudyStyle.targetMin)
        }
        .studyCard()
    }
}

/// A table as a grid; each row is one element for a screen reader.
struct ChartTableView: View {
    private let table: ChartTable

    init(_ table: ChartTable) { self.table = table }

    var body: some View {
        Grid(alignment: .leading, horizontalSpacing: StudyStyle.gap) {
            GridRow {
                ForEach(table.columns, id: \.self) { Text(verbatim: $0).bold() }
            }
            .accessibilityHidden(true)
            ForEach(table.rows) { row in
                Divider()
                GridRow {
                    ForEach(Array(row.cells.enumerated()), id: \.offset) { cell in
                        Text(verbatim: cell.element).monospacedDigit()
                    }
                }
                .accessibilityElement(children: .ignore)
                .accessibilityLabel(spoken(row))
            }
        }
        .font(StudyStyle.small)
    }

    private func spoken(_ row: ChartTable.Row) -> String {
        zip(table.columns, row.cells).map { "\($0): \($1)" }.joined(separator: "; ")
    }
}
#endif
