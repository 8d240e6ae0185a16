#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
public import SwiftUI

/// The one filled button of a screen.
public struct FilledStudyButton: ButtonStyle {
    /// Creates the style.
    public init() {}

    /// Draws the button.
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .fontWeight(.semibold)
            .multilineTextAlignment(.center)
            .padding(.horizontal, StudyStyle.gapLarge)
            .frame(minHeight: StudyStyle.targetMin)
            .foregroundStyle(StudyColor.onAccent)
            .background(
                StudyColor.accent, in: RoundedRectangle(cornerRadius: StudyStyle.buttonRadius)
            )
            .opacity(configuration.isPressed ? 0.8 : 1)
    }
}

/// A button beside the filled one, or one of two equal choices.
public struct OutlinedStudyButton: ButtonStyle {
    /// Creates the style.
    public init() {}

    /// Draws the button.
    public func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .fontWeight(.semibold)
            .multilineTextAlignment(.center)
            .padding(.horizontal, StudyStyle.gap)
            .frame(minHeight: StudyStyle.targetMin)
            .foregroundStyle(configuration.role == .destructive ? StudyColor.wrong : .accent)
            .background(
                StudyColor.card, in: RoundedRectangle(cornerRadius: StudyStyle.buttonRadius)
            )
            .overlay {
                RoundedRectangle(cornerRadius: StudyStyle.buttonRadius)
                    .strokeBorder(StudyColor.edge)
            }
            .opacity(configuration.isPressed ? 0.8 : 1)
    }
}

extension ButtonStyle where Self == FilledStudyButton {
    /// The one filled button of a screen.
    public static var studyFilled: FilledStudyButton { FilledStudyButton() }
}

extension ButtonStyle where Self == OutlinedStudyButton {
    /// A button beside the filled one, or one of two equal choices.
    public static var studyOutlined: OutlinedStudyButton { OutlinedStudyButton() }
}
#endif
