#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The first screen of a new learner: the subjects to choose from, those of the learner's region first.
public struct StartView: View {
    private let model: LibraryModel
    private let open: @MainActor (Subject) -> Void
    private let signIn: @MainActor () -> Void
    @State private var search = ""
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The library.
    ///   - open: Shows a subject.
    ///   - signIn: Shows the account.
    public init(
        _ model: LibraryModel, open: @escaping @MainActor (Subject) -> Void,
        signIn: @escaping @MainActor () -> Void
    ) {
        self.model = model
        self.open = open
        self.signIn = signIn
    }

    /// The screen.
    public var body: some View {
        List {
            LibraryRows(model, open: open)
            Button(formats.words["start.account"], action: signIn)
        }
        .searchable(text: $search, prompt: formats.words["library.search"])
        .navigationTitle(formats.words["start.title"])
        .task(id: search) {
            await model.load(
                search: search, language: formats.words.language,
                region: Locale.current.region?.identifier)
        }
    }
}
#endif
