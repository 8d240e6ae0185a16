#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// A sheet with an announcement: picture, title, text, its button, Not Now.
///
/// ```swift
/// .sheet(item: $message) { shown in AnnouncementSheet(shown) { message = nil } }
/// ```
public struct AnnouncementSheet: View {
    private let message: MessageScreen
    private let close: @MainActor () -> Void
    @Environment(\.studyFormats) private var formats
    @Environment(\.openURL) private var openURL
    @AccessibilityFocusState private var isTitleFocused: Bool

    /// Creates a sheet.
    ///
    /// - Parameters:
    ///   - message: The announcement.
    ///   - close: Records that it was read, and closes it.
    public init(_ message: MessageScreen, close: @escaping @MainActor () -> Void) {
        self.message = message
        self.close = close
    }

    /// The sheet.
    public var body: some View {
        let words = MessageText(message, formats.words)
        let text = message.announcement.text
        ScrollView {
            VStack(alignment: .leading, spacing: StudyStyle.gap) {
                if let image = message.picture.flatMap({ Image(bytes: $0) }) {
                    image.resizable().scaledToFit().frame(maxHeight: 120)
                        .accessibilityLabel(text.imageLabel ?? "")
                        .accessibilityHidden(text.imageLabel == nil)
                }
                Text(verbatim: text.title).font(StudyStyle.heading)
                    .accessibilityAddTraits(.isHeader)
                    .accessibilityFocused($isTitleFocused)
                Text(verbatim: text.content)
                if let place = words.place {
                    Text(verbatim: place).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
                }
                buttons(words)
            }
            .padding(StudyStyle.gapLarge)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .background(StudyColor.card)
        .environment(\.locale, Locale(identifier: message.announcement.language))
        .onAppear { isTitleFocused = true }
    }

    @ViewBuilder
    private func buttons(_ words: MessageText) -> some View {
        if let title = words.action, let target = message.target {
            Button(action: { follow(target) }) {
                Text(verbatim: title).frame(maxWidth: .infinity)
            }
            .buttonStyle(.studyFilled)
            .keyboardShortcut(.defaultAction)
        }
        Button(action: close) { Text(verbatim: words.later).frame(maxWidth: .infinity) }
            .foregroundStyle(StudyColor.accent)
            .frame(minHeight: StudyStyle.targetMin)
            .keyboardShortcut(.cancelAction)
    }

    private func follow(_ target: MessageScreen.Target) {
        openURL(target.url)
        close()
    }
}
#endif
