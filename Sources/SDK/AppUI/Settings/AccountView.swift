#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI

/// The screen of the account: its name, the available steps, and the learner's data as a file.
public struct AccountView: View {
    private let model: AccountModel
    private let open: @MainActor (AccountStep) -> Void
    @State private var wanted: Bool?
    @State private var file: URL?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The account.
    ///   - open: Opens the form of a step.
    public init(_ model: AccountModel, open: @escaping @MainActor (AccountStep) -> Void) {
        self.model = model
        self.open = open
    }

    /// The screen.
    public var body: some View {
        Form {
            if case .other(let problem)? = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                Section {
                    Text(verbatim: state(screen.identity))
                    ForEach(screen.waiting) { learner in
                        Text(verbatim: learner.sentence(formats.words))
                    }
                }
                Section {
                    ForEach(AccountStep.allCases.filter { $0.isOpen(to: screen.identity) }) {
                        step in
                        Button(formats.words[step.titleKey]) { open(step) }
                    }
                }
                export
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .formStyle(.grouped)
        .navigationTitle(formats.words["settings.account"])
        .task { await model.load() }
        .performs($wanted) { _ in await write() }
        .onDisappear { removeFile() }
    }

    private var export: some View {
        Section {
            if let file {
                ShareLink(formats.words["account.export"], item: file)
            } else {
                Button(formats.words["account.export"]) { wanted = true }
            }
        } footer: {
            Text(verbatim: formats.words["account.exportHint"])
        }
    }

    private func state(_ identity: StudyIdentity) -> String {
        identity.hasServer
            ? identity.sentence(formats.words) : formats.words["settings.noServer"]
    }

    /// Writes the data into a file that can be shared, readable by the learner alone.
    private func write() async {
        removeFile()
        file = await model.exportFile()
    }

    /// Removes the file: what was shared is a copy.
    private func removeFile() {
        if let file { AccountModel.remove(exported: file) }
        file = nil
    }
}
#endif
