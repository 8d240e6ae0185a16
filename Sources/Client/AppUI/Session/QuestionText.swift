#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import SwiftUI

/// An author's text, with code between backticks in a code font.
struct QuestionText: View {
    private let text: String

    init(_ text: String) { self.text = text }

    /// The text in one piece, so that it wraps as one; a backtick without a partner stays as it is.
    var body: Text {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().reduce(Text(verbatim: "")) { text, part in
            let isLoose = part.offset % 2 == 1 && part.offset == parts.count - 1
            let run = Text(verbatim: (isLoose ? "`" : "") + part.element)
            return Text("\(text)\(part.offset % 2 == 1 && !isLoose ? run.monospaced() : run)")
        }
    }
}

/// A piece of code that scrolls by itself, from left to right in every language.
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
