#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of one board, with the learner's own place always in sight.
public struct BoardView: View {
    private let model: BoardModel
    private let openProfile: @MainActor () -> Void
    private let openStep: @MainActor (AccountStep) -> Void
    @State private var period: BoardPeriod?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The board.
    ///   - openProfile: Opens the learner's name on boards.
    ///   - openStep: Opens the form of a step with the account.
    public init(
        _ model: BoardModel, openProfile: @escaping @MainActor () -> Void,
        openStep: @escaping @MainActor (AccountStep) -> Void
    ) {
        self.model = model
        self.openProfile = openProfile
        self.openStep = openStep
    }

    /// The screen.
    public var body: some View {
        List {
            if let problem = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                content(screen, BoardText(screen, formats))
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .navigationTitle(model.screen?.title ?? "")
        .safeAreaInset(edge: .bottom, spacing: 0) {
            OwnPlaceBar(model.screen.map { BoardText($0, formats).rows } ?? [])
        }
        .task(id: period) { await load() }
        .refreshable { await model.load(period) }
    }

    /// Loads the chosen period, unless it is the one that the board showed by itself.
    private func load() async {
        if period == nil || period != model.screen?.period { await model.load(period) }
        if period == nil { period = model.screen?.period }
    }

    @ViewBuilder
    private func content(_ screen: BoardScreen, _ text: BoardText) -> some View {
        if let obstacle = screen.obstacle, let notice = text.notice {
            Section { StandingCard(obstacle, notice, take: openStep) }
        }
        Section {
            if screen.periods.count > 1 {
                Picker(
                    formats.words["board.period"],
                    selection: $period[shown: screen.period]
                ) {
                    ForEach(screen.periods, id: \.self) { period in
                        Text(verbatim: formats.words[period.key]).tag(period)
                    }
                }
                .pickerStyle(.menu)
            }
            RowText(text.own ?? "", [text.period])
        }
        PlaceSection(text.range ?? "", text.rows)
        if let empty = text.empty { Text(verbatim: empty) }
        Section {
            RowText(text.name ?? "", [text.note ?? ""])
            if screen.obstacle == nil { Button(text.profile, action: openProfile) }
        }
    }
}
#endif
