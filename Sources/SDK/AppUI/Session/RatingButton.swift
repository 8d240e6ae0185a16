#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI

/// A rating of a right answer with the interval that it leads to.
struct RatingButton: View {
    private let choice: SessionText.Choice
    private let rate: @MainActor () -> Void

    init(_ choice: SessionText.Choice, rate: @escaping @MainActor () -> Void) {
        self.choice = choice
        self.rate = rate
    }

    var body: some View {
        if choice.isMain {
            button.buttonStyle(.studyFilled).keyboardShortcut(.defaultAction)
        } else {
            button.buttonStyle(.studyOutlined)
        }
    }

    private var button: some View {
        Button(action: rate) {
            VStack(spacing: StudyStyle.gapSmall) {
                Text(verbatim: choice.title)
                Text(verbatim: choice.interval ?? " ").font(StudyStyle.small)
            }
            .frame(maxWidth: .infinity)
        }
    }
}
#endif
