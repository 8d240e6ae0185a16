#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
public import Foundation
public import SwiftUI

/// The fonts, spaces and radii of the study app.
///
/// Each font follows the learner's text size.
public enum StudyStyle {
    // MARK: Type

    /// The font of captions and secondary lines.
    public static let small = Font.footnote
    /// The font of text.
    public static let body = Font.body
    /// The options of a question.
    public static let answer = Font.body
    /// The text of a question.
    public static let question = Font.title3.weight(.semibold)
    /// The size of a question's text relative to body text.
    static let questionScale: CGFloat = 20 / 17
    /// The heading of a card.
    public static let cardHeading = Font.headline
    /// The heading of a screen.
    public static let heading = Font.title.weight(.semibold)
    /// A figure of the progress screen.
    public static let figure = Font.title.weight(.semibold).monospacedDigit()
    /// The font of code.
    public static let code = Font.system(.body, design: .monospaced)

    // MARK: Spaces and sizes, in points

    /// The space between lines that belong together.
    public static let gapSmall: CGFloat = 4
    /// The space between the parts of a row.
    public static let gap: CGFloat = 12
    /// The space between cards, and within one.
    public static let gapLarge: CGFloat = 20
    /// The minimum size of a tap target.
    public static let targetMin: CGFloat = 44
    /// The height of an option.
    public static let optionHeight: CGFloat = 54
    /// The height reserved for a status line, with or without words.
    public static let freshnessHeight: CGFloat = 48
    /// The maximum width of a session's column.
    public static let sessionWidth: CGFloat = 688
    /// The radius of fields and options.
    public static let fieldRadius: CGFloat = 8
    /// The radius of buttons.
    public static let buttonRadius: CGFloat = 10
    /// The radius of cards.
    public static let cardRadius: CGFloat = 12
}

extension View {
    /// Puts a part of a screen on a card.
    public func studyCard() -> some View {
        padding(StudyStyle.gapLarge)
            .frame(maxWidth: .infinity, alignment: .leading)
            .background(StudyColor.card, in: RoundedRectangle(cornerRadius: StudyStyle.cardRadius))
            .overlay {
                RoundedRectangle(cornerRadius: StudyStyle.cardRadius)
                    .strokeBorder(StudyColor.line)
            }
    }
}
#endif
