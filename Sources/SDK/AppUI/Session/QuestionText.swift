#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// A line of an author's text, with code in a code font, removed words struck and added ones underlined.
struct QuestionText: View {
    private let pieces: [TextPiece]
    @Environment(\.contentLanguage) private var language
    @Environment(\.layoutDirection) private var direction
    @Environment(\.textScale) private var scale
    @Environment(\.displayScale) private var displayScale
    /// The size of body text, which follows the learner's choice.
    @ScaledMetric(relativeTo: .body) private var bodySize: CGFloat = 17

    /// Shows the pieces of a line.
    init(_ pieces: [TextPiece]) { self.pieces = pieces }

    /// Shows a text with the words that an update changed.
    init(_ runs: [TextRun]) {
        self.init(
            runs.map {
                TextPiece(
                    words: $0.words, isCode: $0.isCode, isRemoved: $0.isRemoved,
                    isAdded: $0.isAdded)
            })
    }

    /// The text in one piece, so that it wraps as one, set and spoken in the language of the content; where that is
    /// unknown, none is claimed.
    var body: some View {
        pieces.reduce(Text(verbatim: "")) { text, piece in Text("\(text)\(shown(piece))") }
            .typesettingLanguage(known ?? .init(identifier: ""), isEnabled: known != nil)
            .environment(\.layoutDirection, ownDirection)
    }

    private var known: Locale.Language? { language.map { Locale.Language(identifier: $0) } }

    private var ownDirection: LayoutDirection {
        switch known?.characterDirection {
        case .leftToRight?: .leftToRight
        case .rightToLeft?: .rightToLeft
        default: direction
        }
    }

    private func shown(_ piece: TextPiece) -> Text {
        if let formula = piece.formula {
            return FormulaText(
                formula: formula, em: bodySize * scale, displayScale: displayScale,
                spoken: piece.spoken ?? piece.words
            ).text
        }
        var words = AttributedString(piece.words)
        words.languageIdentifier = language
        words.link = piece.link
        var text = Text(words).monospaced(piece.isCode).strikethrough(piece.isRemoved)
            .underline(piece.isAdded)
        if piece.isEmphasis { text = text.italic() }
        if piece.isStrong { text = text.bold() }
        return text
    }
}

/// A piece of code with a scroll view of its own, from left to right in every language.
struct QuestionCode: View {
    private let text: String
    private let name: String

    /// Shows code under its name for a screen reader.
    init(_ text: String, name: String) {
        self.text = text
        self.name = name
    }

    var body: some View {
        ScrollView(.horizontal) {
            Text(verbatim: text).font(StudyStyle.code).padding(StudyStyle.gap)
                .textSelection(.enabled)
        }
        .background(StudyColor.sunk, in: RoundedRectangle(cornerRadius: StudyStyle.fieldRadius))
        .environment(\.layoutDirection, .leftToRight)
        .accessibilityElement(children: .contain)
        .accessibilityLabel(name)
    }
}
#endif
