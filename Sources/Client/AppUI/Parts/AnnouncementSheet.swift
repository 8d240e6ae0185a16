#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
public import SwiftUI
public import Underway

/// An announcement as a calm sheet: picture, title, text, its button, Not Now.
///
/// The app opens addresses itself: it knows which of them lead out of it.
///
/// ```swift
/// .sheet(item: $announcement) { shown in
///     AnnouncementSheet(shown, follow: { app.carryOut($0.action) }, close: { announcement = nil })
/// }
/// ```
public struct AnnouncementSheet: View {
    private let announcement: ShownAnnouncement
    private let image: Image?
    private let follow: @MainActor (ShownAnnouncement) -> Void
    private let close: @MainActor () -> Void
    @Environment(\.studyFormats) private var formats
    @AccessibilityFocusState private var isTitleFocused: Bool

    /// Creates a sheet.
    ///
    /// - Parameters:
    ///   - announcement: The announcement.
    ///   - image: Its picture, where the app has it.
    ///   - follow: Carries out the action of its button.
    ///   - close: Closes the sheet.
    public init(
        _ announcement: ShownAnnouncement, image: Image? = nil,
        follow: @escaping @MainActor (ShownAnnouncement) -> Void,
        close: @escaping @MainActor () -> Void
    ) {
        self.announcement = announcement
        self.image = image
        self.follow = follow
        self.close = close
    }

    /// The sheet.
    public var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: StudyStyle.gap) {
                if let image {
                    image.resizable().scaledToFit().frame(maxHeight: 120)
                        .accessibilityLabel(announcement.text.imageLabel ?? "")
                        .accessibilityHidden(announcement.text.imageLabel == nil)
                }
                Text(verbatim: announcement.text.title).font(StudyStyle.heading)
                    .accessibilityAddTraits(.isHeader)
                    .accessibilityFocused($isTitleFocused)
                Text(verbatim: announcement.text.content)
                if let destination {
                    Text(verbatim: destination)
                        .font(StudyStyle.small).foregroundStyle(StudyColor.soft)
                }
                buttons
            }
            .padding(StudyStyle.gapLarge)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .background(StudyColor.card)
        .presentationDetents([.medium, .large])
        .onAppear { isTitleFocused = true }
    }

    @ViewBuilder private var buttons: some View {
        if announcement.action != .none, let title = announcement.actionTitle {
            Button(action: { follow(announcement) }) {
                Text(verbatim: title).frame(maxWidth: .infinity)
            }
            .buttonStyle(.studyFilled)
            .keyboardShortcut(.defaultAction)
        }
        Button(action: close) {
            Text(verbatim: formats.words["announcement.notNow"]).frame(maxWidth: .infinity)
        }
        .foregroundStyle(StudyColor.accent)
        .frame(minHeight: StudyStyle.targetMin)
        .keyboardShortcut(.cancelAction)
    }

    /// The sentence that says where the button leads; `nil` where it stays in the app.
    private var destination: String? {
        switch announcement.action {
        case .open(let address):
            URL(string: address)?.host().map { formats.words.text("app.opensSite", ["site": $0]) }
        case .mail(let address): formats.words.text("announcement.opensEmail", ["address": address])
        default: nil
        }
    }
}
#endif
