#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of the server's boards and live events.
public struct BoardListView: View {
    /// A screen behind this one; the app opens it.
    public enum Choice: Sendable, Hashable {
        /// The board with this name.
        case board(String)
        /// The live event with this name.
        case event(String)
        /// The learner's name on boards.
        case profile
        /// A step with the account.
        case step(AccountStep)
    }

    private let model: BoardListModel
    private let choose: @MainActor (Choice) -> Void
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    public init(_ model: BoardListModel, choose: @escaping @MainActor (Choice) -> Void) {
        self.model = model
        self.choose = choose
    }

    /// The screen.
    public var body: some View {
        List {
            if let problem = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                content(screen)
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .navigationTitle(formats.words["board.list"])
        .task { await model.load() }
        .refreshable { await model.load() }
    }

    @ViewBuilder
    private func content(_ screen: BoardListScreen) -> some View {
        if let obstacle = screen.obstacle ?? screen.eventObstacle {
            Section {
                StandingCard(obstacle, formats.words[obstacle.key]) { choose(.step($0)) }
            }
        }
        boards("board.yours", screen.boards.filter(\.isStudied), screen.now)
        boards("board.others", screen.boards.filter { !$0.isStudied }, screen.now)
        if screen.boards.isEmpty, screen.obstacle == nil {
            Text(verbatim: formats.words["board.none"])
        }
        events("event.list", screen.events.filter { $0.state != .ended }, screen.now)
        events("booking.earlier", screen.events.filter { $0.state == .ended }, screen.now)
        if screen.eventObstacle == .offline {
            Text(verbatim: formats.words["event.needsConnection"])
        } else if screen.events.isEmpty, screen.eventObstacle == nil {
            Text(verbatim: formats.words["event.none"])
        }
        if screen.obstacle == nil {
            Button(formats.words["board.profile"]) { choose(.profile) }
        }
    }

    @ViewBuilder
    private func boards(_ key: String, _ boards: [BoardListScreen.Board], _ now: Date) -> some View
    {
        if !boards.isEmpty {
            Section(formats.words[key]) {
                ForEach(boards) { board in
                    Button(action: { choose(.board(board.id)) }) {
                        RowText(board.heading, [board.details(formats, now: now)])
                    }
                }
            }
        }
    }

    @ViewBuilder
    private func events(_ key: String, _ events: [BoardListScreen.Event], _ now: Date) -> some View
    {
        if !events.isEmpty {
            Section(formats.words[key]) {
                ForEach(events) { event in
                    Button(action: { choose(.event(event.id)) }) {
                        RowText(event.event.title, [event.details(formats, now: now)])
                    }
                }
            }
        }
    }
}
#endif
