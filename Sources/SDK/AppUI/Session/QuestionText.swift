#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// An author's text, with code in a code font, removed words struck and added ones underlined.
struct QuestionText: View {
    private let runs: [TextRun]
    @Environment(\.contentLanguage) private var language
    @Environment(\.layoutDirection) private var direction

    /// Shows a text with code between backticks.
    init(_ text: String) { self.init(TextRun.runs(of: text)) }

    /// Shows the pieces of a text.
    init(_ runs: [TextRun]) { self.runs = runs }

    /// The text in one piece, so that it wraps as one, set and spoken in the language of the content; where that is
    /// unknown, none is claimed.
    var body: some View {
        runs.reduce(Text(verbatim: "")) { text, run in Text("\(text)\(piece(run))") }
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

    private func piece(_ run: TextRun) -> Text {
        var words = AttributedString(run.words)
        words.languageIdentifier = language
        return Text(words).monospaced(run.isCode).strikethrough(run.isRemoved)
            .underline(run.isAdded)
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
