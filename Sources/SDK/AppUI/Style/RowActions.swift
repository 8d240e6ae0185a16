#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import SwiftUI

extension View {
    /// Lets a swipe of a row remove it, beside the button that says so.
    func removes(_ title: String, _ remove: @escaping @MainActor () -> Void) -> some View {
        swipeActions(edge: .trailing, allowsFullSwipe: true) {
            Button(title, systemImage: "trash", role: .destructive, action: remove)
        }
    }
}

/// The parts of a row side by side; below each other where large text would cut them.
struct AdaptiveRow<Content: View>: View {
    private let content: Content
    @Environment(\.dynamicTypeSize) private var typeSize

    init(@ViewBuilder content: () -> Content) { self.content = content() }

    var body: some View {
        let layout =
            typeSize.isAccessibilitySize
            ? AnyLayout(VStackLayout(alignment: .leading, spacing: StudyStyle.gapSmall))
            : AnyLayout(HStackLayout(spacing: StudyStyle.gap))
        layout { content }
    }
}

/// Buttons side by side if they fit, else below each other.
struct FittingButtons<Content: View>: View {
    private let content: Content

    init(@ViewBuilder content: () -> Content) { self.content = content() }

    var body: some View {
        ViewThatFits(in: .horizontal) {
            HStack(spacing: StudyStyle.gap) { content }
            VStack(spacing: StudyStyle.gap) { content }
        }
    }
}
#endif
