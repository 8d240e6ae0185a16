#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI

/// The table of a conflict with its two equal buttons, each under its column.
public struct ConflictComparison: View {
    private let table: ConflictTable
    private let keepMine: @MainActor () -> Void
    private let useServer: @MainActor () -> Void

    /// Creates a table.
    public init(
        _ table: ConflictTable, keepMine: @escaping @MainActor () -> Void,
        useServer: @escaping @MainActor () -> Void
    ) {
        self.table = table
        self.keepMine = keepMine
        self.useServer = useServer
    }

    /// The table.
    public var body: some View {
        VStack(alignment: .leading, spacing: 0) {
            HStack(alignment: .top, spacing: StudyStyle.gap) {
                heading(table.mine)
                heading(table.server)
            }
            .padding(StudyStyle.gap)
            ForEach(Array(table.fields.enumerated()), id: \.offset) { field in
                Divider()
                row(field.element)
            }
            Divider()
            HStack(spacing: StudyStyle.gap) {
                choice(table.keepMine, keepMine)
                choice(table.useServer, useServer)
            }
            .padding(StudyStyle.gap)
        }
        .background(StudyColor.card, in: RoundedRectangle(cornerRadius: StudyStyle.cardRadius))
    }

    private func heading(_ side: ConflictTable.Side) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            Text(verbatim: side.title).bold()
            Text(verbatim: side.who).foregroundStyle(StudyColor.soft)
        }
        .font(StudyStyle.small)
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityElement(children: .combine)
        .accessibilityAddTraits(.isHeader)
    }

    private func row(_ field: ConflictTable.Field) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            HStack(spacing: StudyStyle.gap) {
                Text(verbatim: field.title).foregroundStyle(StudyColor.soft)
                if field.differs {
                    Text(verbatim: table.differsWord).bold().foregroundStyle(StudyColor.care)
                }
            }
            .font(StudyStyle.small)
            HStack(alignment: .top, spacing: StudyStyle.gap) {
                cell(field.mine, of: table.mine)
                cell(field.server, of: table.server)
            }
        }
        .padding(StudyStyle.gap)
        .frame(maxWidth: .infinity, alignment: .leading)
        .background(field.differs ? StudyColor.careGround : .card)
    }

    private func cell(_ cell: ConflictTable.Cell, of side: ConflictTable.Side) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            Text(verbatim: cell.value)
            if let was = cell.was {
                Text(verbatim: was).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
            }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .accessibilityElement(children: .combine)
        .accessibilityHint(side.title)
    }

    private func choice(
        _ decision: ConflictTable.Decision, _ action: @escaping @MainActor () -> Void
    ) -> some View {
        Button(action: action) { Text(verbatim: decision.title).frame(maxWidth: .infinity) }
            .buttonStyle(.studyOutlined)
            .accessibilityLabel(decision.name)
    }
}
#endif
