#if canImport(SwiftUI) && canImport(AVFoundation) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of a subject's audio and pictures: fetch them, and play the clips with their titles.
public struct SubjectFilesView: View {
    private let model: SubjectFilesModel
    @State private var isWanted: Bool?
    @State private var player = ClipPlayer()
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    public init(_ model: SubjectFilesModel) { self.model = model }

    /// The screen.
    public var body: some View {
        List {
            if let problem = model.problem { ProblemCard(problem) }
            if let files = model.files {
                state(files)
                clips(files)
            }
        }
        .navigationTitle(model.files?.subject.title ?? "")
        .environment(\.contentLanguage, model.files?.subject.contentLanguage)
        .task { await model.load() }
        .performs($isWanted) { [model] _ in await model.fetch() }
        .onDisappear { player.stop() }
    }

    private func state(_ files: SubjectFiles) -> some View {
        Section {
            Text(verbatim: files.stateSentence(formats, isFetching: model.isFetching))
            if model.isFetching {
                ProgressView(
                    value: Double(files.fetchedBytes), total: Double(max(1, files.bytes)))
                Button(formats.words["app.cancel"]) { isWanted = nil }
            } else if !files.isComplete {
                Button(formats.words[files.getKey]) { isWanted = true }
            }
        }
    }

    @ViewBuilder
    private func clips(_ files: SubjectFiles) -> some View {
        if !files.clips.isEmpty {
            Section(formats.words["subject.audio"]) {
                ForEach(Array(files.clips.enumerated()), id: \.offset) { row in
                    ClipRow(row.element, player: player) { [model] in
                        await model.bytes(of: row.element.checksum)
                    }
                }
            }
        }
    }
}
#endif
