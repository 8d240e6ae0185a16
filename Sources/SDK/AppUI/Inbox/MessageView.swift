#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of a reopened message of the inbox.
public struct MessageView: View {
    private let model: AnnouncementModel
    private let id: Int
    private let close: @MainActor () -> Void
    @State private var read: Int?
    @State private var isLoaded = false
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a message.
    ///
    /// - Parameters:
    ///   - model: The model that opens it.
    ///   - id: The announcement's identifier.
    ///   - close: Leaves the screen.
    public init(_ model: AnnouncementModel, id: Int, close: @escaping @MainActor () -> Void) {
        self.model = model
        self.id = id
        self.close = close
    }

    /// The screen.
    public var body: some View {
        Group {
            if let problem = model.problem {
                ProblemCard(problem)
            } else if let message = model.opened {
                AnnouncementSheet(message) { read = id }
            } else {
                Text(verbatim: formats.words[isLoaded ? "announcement.missing" : "app.loading"])
            }
        }
        .navigationTitle(model.opened?.announcement.text.title ?? "")
        .task { await load() }
        .performs($read) { await note($0) }
    }

    private func load() async {
        await model.open(id, languages: formats.words.messageLanguages)
        isLoaded = true
    }

    private func note(_ id: Int) async {
        await model.markSeen(id, languages: formats.words.messageLanguages)
        if model.problem == nil { close() }
    }
}
#endif
