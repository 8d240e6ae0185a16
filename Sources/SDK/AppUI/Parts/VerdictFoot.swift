#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI

/// The foot of a session: the verdict above the buttons, with reserved space before it has a text.
public struct VerdictFoot<Actions: View>: View {
    private let tone: SessionText.Tone
    private let sentence: String
    private let actions: Actions

    /// Creates a foot with its sentence, empty if there is none yet, and its buttons.
    public init(
        _ sentence: String, tone: SessionText.Tone, @ViewBuilder actions: () -> Actions
    ) {
        self.sentence = sentence
        self.tone = tone
        self.actions = actions()
    }

    /// The foot.
    public var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            HStack(alignment: .firstTextBaseline, spacing: StudyStyle.gap) {
                if let symbol { Image(systemName: symbol).accessibilityHidden(true) }
                // A space holds the line's height while there is nothing to say.
                Text(verbatim: sentence.isEmpty ? " " : sentence).font(StudyStyle.cardHeading)
            }
            .foregroundStyle(colour)
            .accessibilityElement(children: .combine)
            .accessibilityHidden(sentence.isEmpty)
            actions
        }
        .padding(StudyStyle.gap)
        .frame(maxWidth: StudyStyle.sessionWidth, alignment: .leading)
        .frame(maxWidth: .infinity)
        .background(ground)
        .overlay(alignment: .top) { Divider() }
    }

    private var symbol: String? {
        switch tone {
        case .right: "checkmark"
        case .wrong: "xmark"
        case .care: "exclamationmark.triangle"
        case .plain: nil
        }
    }

    private var colour: StudyColor {
        switch tone {
        case .right: .right
        case .wrong: .wrong
        case .care: .care
        case .plain: .ink
        }
    }

    private var ground: StudyColor {
        switch tone {
        case .right: .rightGround
        case .wrong: .wrongGround
        case .care: .careGround
        case .plain: .card
        }
    }
}
#endif
