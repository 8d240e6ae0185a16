#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI

/// The status line of a screen: the age of its content in words, with at most one action; below it the pending
/// decisions.
///
/// Its space is reserved before it has a text, so that nothing moves.
public struct FreshnessBanner: View {
    private let model: FreshnessModel
    private let decide: @MainActor (FreshnessText.Banner) -> Void
    private let showChanges: @MainActor () -> Void
    @State private var isWanted: Bool?
    @Environment(\.studyFormats) private var formats

    /// Creates the line of a model.
    ///
    /// - Parameters:
    ///   - model: The line.
    ///   - decide: Opens the screen of a decision.
    ///   - showChanges: Opens the changes of the last update.
    public init(
        _ model: FreshnessModel, decide: @escaping @MainActor (FreshnessText.Banner) -> Void,
        showChanges: @escaping @MainActor () -> Void
    ) {
        self.model = model
        self.decide = decide
        self.showChanges = showChanges
    }

    /// The line.
    public var body: some View {
        let words = model.screen.map { FreshnessText($0, formats) }
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            line(words)
            ForEach(words?.banners ?? []) { banner($0) }
        }
        .padding(.horizontal, StudyStyle.gapLarge)
        .background(StudyColor.page)
        .task { await model.load() }
        .performs($isWanted) { [model] _ in await model.checkNow() }
    }

    private func line(_ words: FreshnessText?) -> some View {
        AdaptiveRow {
            Image(systemName: symbol(words)).accessibilityHidden(true)
            Text(verbatim: words?.sentence ?? " ")
                .frame(maxWidth: .infinity, alignment: .leading)
                .accessibilityAddTraits(.updatesFrequently)
            if let title = words?.check {
                Button(title) { isWanted = true }
                    .frame(minHeight: StudyStyle.targetMin)
                    .foregroundStyle(StudyColor.accent)
            } else if let title = words?.changes {
                Button(title) { showChanges() }
                    .frame(minHeight: StudyStyle.targetMin)
                    .foregroundStyle(StudyColor.accent)
            }
        }
        .font(StudyStyle.small)
        .foregroundStyle(words?.isOld == true ? StudyColor.care : .soft)
        .frame(minHeight: StudyStyle.freshnessHeight)
    }

    private func banner(_ banner: FreshnessText.Banner) -> some View {
        AdaptiveRow {
            Label(banner.sentence, systemImage: "exclamationmark.triangle")
                .frame(maxWidth: .infinity, alignment: .leading)
            Button(formats.words[banner.actionKey]) { decide(banner) }
                .buttonStyle(.studyOutlined)
        }
        .font(StudyStyle.small)
        .padding(StudyStyle.gap)
        .background(
            StudyColor.careGround, in: RoundedRectangle(cornerRadius: StudyStyle.fieldRadius))
    }

    private func symbol(_ words: FreshnessText?) -> String {
        guard words?.isOld != true else { return "exclamationmark.triangle" }
        return switch words?.kind {
        case .upToDate: "checkmark"
        case .offline: "wifi.slash"
        case .failed: "exclamationmark.triangle"
        case .content, nil: "cloud"
        }
    }
}
#endif
