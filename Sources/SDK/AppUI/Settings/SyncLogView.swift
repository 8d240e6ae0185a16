#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI

/// The screen of the last syncs, in sentences, with the codes of failures on request.
public struct SyncLogView: View {
    private let services: StudyServices
    @State private var log: SyncLog?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a device's log.
    public init(_ services: StudyServices) { self.services = services }

    /// The screen.
    public var body: some View {
        List {
            if let log {
                if log.entries.isEmpty { Text(verbatim: formats.words["settings.logEmpty"]) }
                let lines = SyncLogLine.lines(of: log.entries, now: services.clock(), formats)
                ForEach(Array(lines.enumerated()), id: \.offset) { row($0.element) }
            } else {
                ProgressView(formats.words["app.loading"])
            }
        }
        .navigationTitle(formats.words["settings.log"])
        .task { await load() }
        .refreshable { await load() }
    }

    private func row(_ line: SyncLogLine) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            Label(
                line.when,
                systemImage: line.isFailed ? "exclamationmark.triangle" : "checkmark")
            ForEach(line.sentences, id: \.self) { Text(verbatim: $0) }
            if let codes = line.codes {
                DisclosureGroup(formats.words["app.details"]) { Text(verbatim: codes) }
            }
        }
        .font(StudyStyle.small)
    }

    private func load() async { log = await services.syncLog.value }
}
#endif
