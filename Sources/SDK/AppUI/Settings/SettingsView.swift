#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of settings: sync, storage, study, appearance, language, account.
public struct SettingsView: View {
    /// A target that the learner selected; the app opens it.
    public enum Choice: Sendable, Hashable {
        /// The log of syncs.
        case log
        /// The learner's settings of scheduling.
        case learning
        /// The account.
        case account
    }

    private let model: SettingsModel
    private let files: @MainActor (SubjectFiles) -> SubjectFilesModel
    private let open: @MainActor (Choice) -> Void
    @State private var isSyncWanted: Bool?
    /// The choices that a control asked for, until they are saved.
    @State private var wanted: StudySettings?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The settings.
    ///   - files: Returns the model that removes the files of a subject.
    ///   - open: Opens the log or the account.
    public init(
        _ model: SettingsModel, files: @escaping @MainActor (SubjectFiles) -> SubjectFilesModel,
        open: @escaping @MainActor (Choice) -> Void
    ) {
        self.model = model
        self.files = files
        self.open = open
    }

    /// The screen.
    public var body: some View {
        Form {
            if let problem = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                sync(screen)
                storage(screen)
                choices(screen.settings)
                if let identity = screen.identity {
                    Section(formats.words["settings.account"]) {
                        entry("settings.accountOpen", [identity.sentence(formats.words)], .account)
                    }
                }
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .formStyle(.grouped)
        .navigationTitle(formats.words["settings.title"])
        .task { await model.load() }
        .performs($isSyncWanted) { [model] _ in await model.syncNow() }
        .performs($wanted) { await save($0) }
    }

    private func sync(_ screen: SettingsScreen) -> some View {
        Section(formats.words["settings.sync"]) {
            if let sync = screen.sync {
                RowText(
                    formats.words["settings.syncNow"],
                    [sync.sentence(now: screen.now, formats, isStarting: isSyncWanted != nil)])
                if isSyncWanted == nil, !sync.isRunning {
                    Button(formats.words["settings.syncAction"]) { isSyncWanted = true }
                }
            } else {
                Text(verbatim: formats.words["settings.noServer"])
            }
            entry("settings.log", [], .log)
        }
    }

    private func storage(_ screen: SettingsScreen) -> some View {
        Section {
            ForEach(screen.storage) { stored in
                StoredRow(stored, { files(stored) }) { await model.load() }
            }
        } header: {
            Text(verbatim: formats.words["settings.storage"])
        } footer: {
            Text(
                verbatim: formats.words[
                    screen.storage.isEmpty ? "settings.storageEmpty" : screen.storageHintKey])
        }
    }

    @ViewBuilder
    private func choices(_ settings: StudySettings) -> some View {
        Section(formats.words["settings.study"]) {
            toggle("settings.rate", hint: "settings.rateHint", settings, \.ratesAnswers)
            toggle("settings.keyboard", hint: nil, settings, \.usesKeys)
            ConsentToggle(model.consent)
            entry("learning.title", [formats.words["learning.hint"]], .learning)
        }
        Section(formats.words["settings.appearance"]) {
            Picker(formats.words["settings.appearance"], selection: chosen(settings, \.theme)) {
                ForEach(StudySettings.Theme.allCases, id: \.self) {
                    Text(verbatim: $0.name(formats.words)).tag($0)
                }
            }
            .pickerStyle(.segmented)
            .labelsHidden()
        }
        Section(formats.words["settings.language"]) {
            Picker(formats.words["settings.language"], selection: chosen(settings, \.language)) {
                Text(verbatim: formats.words["settings.languageSystem"]).tag(String?.none)
                ForEach(StudyText.languages, id: \.code) { language in
                    Text(verbatim: language.name).tag(Optional(language.code))
                }
            }
            .pickerStyle(.menu)
            .labelsHidden()
        }
    }

    private func toggle(
        _ key: String, hint: String?, _ settings: StudySettings,
        _ part: WritableKeyPath<StudySettings, Bool>
    ) -> some View {
        Toggle(isOn: chosen(settings, part)) {
            RowText(formats.words[key], hint.map { [formats.words[$0]] } ?? [])
        }
    }

    private func entry(_ key: String, _ details: [String], _ choice: Choice) -> some View {
        Button(action: { open(choice) }) { RowText(formats.words[key], details) }
    }

    /// A choice of the settings, which is saved when a control changes it.
    private func chosen<Value>(
        _ settings: StudySettings, _ part: WritableKeyPath<StudySettings, Value>
    ) -> Binding<Value> {
        $wanted[or: settings][dynamicMember: part]
    }

    private func save(_ choices: StudySettings) async {
        await model.change { $0.choose(choices) }
    }
}

extension StudySettings? {
    /// The choices as controls show them; setting them asks for the change.
    fileprivate subscript(or saved: StudySettings) -> StudySettings {
        get { self ?? saved }
        set { self = newValue }
    }
}

/// The files of a subject, with the button that removes them.
private struct StoredRow: View {
    private let stored: SubjectFiles
    private let makeModel: @MainActor () -> SubjectFilesModel
    private let removed: @MainActor () async -> Void
    @State private var isWanted: Bool?
    @State private var problem: StudyProblem?
    @Environment(\.studyFormats) private var formats

    init(
        _ stored: SubjectFiles, _ makeModel: @escaping @MainActor () -> SubjectFilesModel,
        removed: @escaping @MainActor () async -> Void
    ) {
        self.stored = stored
        self.makeModel = makeModel
        self.removed = removed
    }

    var body: some View {
        AdaptiveRow {
            RowText(stored.subject.title, [stored.storedSentence(formats)])
            Button(formats.words["app.remove"]) { isWanted = true }
                .buttonStyle(.borderless)
                .frame(minHeight: StudyStyle.targetMin)
                .accessibilityLabel(stored.removeName(formats.words))
        }
        .removes(formats.words["app.remove"]) { isWanted = true }
        .performs($isWanted) { _ in await remove() }
        if let problem { ProblemLine(formats.words[problem.code.key]) }
    }

    private func remove() async {
        let model = makeModel()
        await model.remove()
        problem = model.problem
        if problem == nil { await removed() }
    }
}
#endif
