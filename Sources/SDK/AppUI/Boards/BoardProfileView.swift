#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The form of the learner's name on boards, with the choice to leave them.
public struct BoardProfileView: View {
    /// A press of a button of the form.
    private enum Press: Equatable {
        case save(String)
        case leave
        case join
    }

    private let model: BoardProfileModel
    private let openStep: @MainActor (AccountStep) -> Void
    @State private var name = ""
    @State private var press: Press?
    /// True after a press whose end is shown.
    @State private var hasPressed = false
    @Environment(\.studyFormats) private var formats

    /// Creates the form of a model; `openStep` opens the form of a step with the account.
    public init(_ model: BoardProfileModel, openStep: @escaping @MainActor (AccountStep) -> Void) {
        self.model = model
        self.openStep = openStep
    }

    /// The form.
    public var body: some View {
        Form {
            if let outcome = model.outcome {
                Section { Text(verbatim: formats.words[outcome.key]) }
            }
            if let obstacle = model.obstacle {
                Section { StandingCard(obstacle, sentence(obstacle), take: openStep) }
            }
            if let profile = model.profile {
                fields(profile.isListed)
            } else if model.obstacle == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .formStyle(.grouped)
        .navigationTitle(formats.words["board.profile"])
        .task { await load() }
        .performs($press) { await take($0) }
    }

    private func load() async {
        await model.load()
        name = model.profile?.name ?? ""
    }

    private func sentence(_ obstacle: StandingsObstacle) -> String {
        let reason = formats.words[obstacle.key]
        guard hasPressed, obstacle != .refused else { return reason }
        return reason + " " + formats.words["board.notConfirmed"]
    }

    @ViewBuilder
    private func fields(_ isListed: Bool) -> some View {
        if isListed {
            Section {
                TextField(formats.words["board.name"], text: $name)
                Text(verbatim: formats.words["board.profileHint"]).font(StudyStyle.small)
                Button(formats.words["app.save"]) { ask(.save(name)) }
                    .buttonStyle(.studyFilled)
            }
            Section { Button(formats.words["board.leave"]) { ask(.leave) } }
        } else {
            Section {
                Text(verbatim: formats.words["board.hasLeft"])
                Button(formats.words["board.join"]) { ask(.join) }.buttonStyle(.studyFilled)
            }
        }
    }

    /// Requests a step; it has no effect while one is under way.
    private func ask(_ wanted: Press) { if press == nil { press = wanted } }

    private func take(_ press: Press) async {
        switch press {
        case .save(let name): await model.save(name: name)
        case .leave: await model.leave()
        case .join: await model.join()
        }
        hasPressed = true
    }
}
#endif
