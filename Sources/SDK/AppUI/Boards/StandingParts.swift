#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// Why boards or events are not the server's present state, with the steps that help.
struct StandingCard: View {
    private let obstacle: StandingsObstacle
    private let sentence: String
    private let take: @MainActor (AccountStep) -> Void
    @Environment(\.studyFormats) private var formats

    init(
        _ obstacle: StandingsObstacle, _ sentence: String,
        take: @escaping @MainActor (AccountStep) -> Void
    ) {
        self.obstacle = obstacle
        self.sentence = sentence
        self.take = take
    }

    var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Label(sentence, systemImage: obstacle == .offline ? "icloud.slash" : "info.circle")
            if let details = obstacle.details {
                DisclosureGroup(formats.words["app.details"]) { Text(verbatim: details) }
                    .font(StudyStyle.small)
            }
            ForEach(obstacle.steps) { step in
                Button(formats.words[step.titleKey]) { take(step) }
                    .buttonStyle(.studyOutlined)
            }
        }
    }
}

/// A place of a board or an event, or the number of places that are not shown.
struct PlaceRowView: View {
    private let row: PlaceText
    @Environment(\.studyFormats) private var formats

    init(_ row: PlaceText) { self.row = row }

    var body: some View {
        if row.isGap {
            Text(verbatim: row.name).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
        } else {
            HStack(spacing: StudyStyle.gap) {
                Text(verbatim: row.rank).foregroundStyle(StudyColor.soft)
                Text(verbatim: row.name)
                    .foregroundStyle(row.isName ? StudyColor.ink : StudyColor.soft)
                if row.isOwn {
                    Text(verbatim: formats.words["board.you"]).font(StudyStyle.small)
                        .foregroundStyle(StudyColor.soft)
                }
                Spacer()
                Text(verbatim: row.score)
            }
            .fontWeight(row.isOwn ? .semibold : .regular)
            .accessibilityElement(children: .combine)
        }
    }
}

/// The places of a board or an event, as a part of a list.
struct PlaceSection: View {
    private let title: String
    private let rows: [PlaceText]

    init(_ title: String, _ rows: [PlaceText]) {
        self.title = title
        self.rows = rows
    }

    var body: some View {
        if !rows.isEmpty {
            Section(title) {
                ForEach(Array(rows.enumerated()), id: \.offset) { PlaceRowView($0.element) }
            }
        }
    }
}

/// The learner's own place at the bottom of a screen, whatever part of the list is in sight.
struct OwnPlaceBar: View {
    private let rows: [PlaceText]

    init(_ rows: [PlaceText]) { self.rows = rows }

    var body: some View {
        if let own = rows.first(where: \.isOwn) {
            PlaceRowView(own)
                .padding(StudyStyle.gap)
                .frame(maxWidth: .infinity, alignment: .leading)
                .background(StudyColor.tint)
                // The list has the same row.
                .accessibilityHidden(true)
        }
    }
}
#endif
