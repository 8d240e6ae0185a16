#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
public import Foundation
public import StudyModel
public import SwiftUI
public import Underway

/// The first line of a screen: how old its content is, in words, with at most one action.
///
/// Its place is there before it has words, so that nothing moves.
public struct FreshnessBanner: View {
    /// The number of days after which content is shown as old.
    public static let daysUntilOld = 14

    private let freshness: ContentFreshness?
    private let isChecking: Bool
    private let now: Date
    private let check: (@MainActor () -> Void)?
    @Environment(\.studyFormats) private var formats

    /// Creates a line.
    ///
    /// - Parameters:
    ///   - freshness: The freshness of the content; `nil` for none on this device.
    ///   - isChecking: True while the host is asked for new content.
    ///   - now: The wall clock.
    ///   - check: Asks the host for new content; `nil` on a device without a server.
    public init(
        _ freshness: ContentFreshness?, isChecking: Bool = false, now: Date = Date(),
        check: (@MainActor () -> Void)? = nil
    ) {
        self.freshness = freshness
        self.isChecking = isChecking
        self.now = now
        self.check = check
    }

    /// The line.
    public var body: some View {
        HStack(spacing: StudyStyle.gap) {
            Image(systemName: isOld ? "exclamationmark.triangle" : "cloud")
                .accessibilityHidden(true)
            Text(verbatim: sentence).frame(maxWidth: .infinity, alignment: .leading)
                .accessibilityAddTraits(.updatesFrequently)
            if let check, !isChecking {
                Button(formats.words["freshness.checkNow"], action: check)
                    .frame(minHeight: StudyStyle.targetMin)
                    .foregroundStyle(StudyColor.accent)
            }
        }
        .font(StudyStyle.small)
        .foregroundStyle(isOld ? StudyColor.care : .soft)
        .frame(minHeight: StudyStyle.freshnessHeight)
    }

    private var isOld: Bool {
        (freshness?.age(now: now) ?? 0) > Double(Self.daysUntilOld) * 86_400
    }

    private var sentence: String {
        guard !isChecking else { return formats.words["freshness.checking"] }
        guard let freshness else { return formats.words["freshness.empty"] }
        guard freshness.source == .downloaded else { return formats.words["freshness.bundled"] }
        return formats.sentence("freshness.updated", freshness.installedAt, now: now)
    }
}

/// A freshness line that follows a device's content, and its sync where it has one.
public struct ObservedFreshnessBanner: View {
    private let content: ObservedContent
    private let sync: (any StudySync)?
    @State private var isWanted: Bool?

    /// Creates a line over the content of a store.
    public init(_ content: ObservedContent, sync: (any StudySync)? = nil) {
        self.content = content
        self.sync = sync
    }

    /// The line.
    public var body: some View {
        FreshnessBanner(
            content.freshness, isChecking: isWanted != nil, check: check
        )
        .task { await content.follow() }
        .performs($isWanted) { [sync] _ in await sync?.syncNow() }
    }

    private var check: (@MainActor () -> Void)? {
        guard sync != nil else { return nil }
        return { isWanted = true }
    }
}
#endif
