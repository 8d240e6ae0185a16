#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
public import SwiftUI

/// The style of a screen's only filled button.
public struct FilledStudyButton: ButtonStyle {
    /// Creates the style.
    public init() {}

    /// Returns the styled button.
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

/// The style of a button beside the filled one, or of one of two equal choices.
public struct OutlinedStudyButton: ButtonStyle {
    /// Creates the style.
    public init() {}

    /// Returns the styled button.
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
    /// The style of a screen's only filled button.
    public static var studyFilled: FilledStudyButton { FilledStudyButton() }
}

extension ButtonStyle where Self == OutlinedStudyButton {
    /// The style of a button beside the filled one, or of one of two equal choices.
    public static var studyOutlined: OutlinedStudyButton { OutlinedStudyButton() }
}
#endif
