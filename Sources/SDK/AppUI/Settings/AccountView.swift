#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI

/// The screen of the account: its name, the available steps, and the learner's data as a file.
public struct AccountView: View {
    private let model: AccountModel
    private let open: @MainActor (AccountStep) -> Void
    @State private var wanted: Export?
    @State private var files: [Export: URL] = [:]
    @Environment(\.studyFormats) private var formats

    /// The kinds of files.
    private enum Export: CaseIterable {
        case everything
        case answers

        var titleKey: String { self == .everything ? "account.export" : "account.exportAnswers" }
        var hintKey: String { titleKey + "Hint" }
    }

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
                ForEach(Export.allCases, id: \.self) { export($0) }
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .formStyle(.grouped)
        .navigationTitle(formats.words["settings.account"])
        .task { await model.load() }
        .performs($wanted) { await write($0) }
        .onDisappear { removeFiles() }
    }

    private func export(_ kind: Export) -> some View {
        Section {
            if let file = files[kind] {
                ShareLink(formats.words[kind.titleKey], item: file)
            } else {
                Button(formats.words[kind.titleKey]) { wanted = kind }
            }
        } footer: {
            Text(verbatim: formats.words[kind.hintKey])
        }
    }

    private func state(_ identity: StudyIdentity) -> String {
        identity.hasServer
            ? identity.sentence(formats.words) : formats.words["settings.noServer"]
    }

    /// Writes the data into a file that can be shared, readable by the learner alone.
    private func write(_ kind: Export) async {
        if let old = files.removeValue(forKey: kind) { AccountModel.remove(exported: old) }
        files[kind] =
            kind == .everything ? await model.exportFile() : await model.answersFile(formats)
    }

    /// Removes the files: what was shared is a copy.
    private func removeFiles() {
        files.values.forEach(AccountModel.remove(exported:))
        files = [:]
    }
}
#endif
