#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import SwiftUI

/// The verdict of an answer, in words and in colour.
public struct VerdictWords: Sendable, Hashable {
    /// The kind of a verdict.
    public enum Kind: Sendable, Hashable {
        /// Right.
        case right
        /// Wrong, or right in part.
        case wrong
        /// No verdict, such as a hint to choose first.
        case none
    }

    /// The kind.
    public var kind: Kind
    /// The sentence.
    public var sentence: String
    /// A second line, such as the time of the next review.
    public var detail: String?

    /// Describes a verdict.
    public init(_ kind: Kind, _ sentence: String, detail: String? = nil) {
        self.kind = kind
        self.sentence = sentence
        self.detail = detail
    }
}

/// The foot of a session: the place of the verdict above the buttons, there before it has words.
public struct VerdictFoot<Actions: View>: View {
    private let verdict: VerdictWords?
    private let actions: Actions

    /// Creates a foot with its verdict, if there is one yet, and its buttons.
    public init(_ verdict: VerdictWords?, @ViewBuilder actions: () -> Actions) {
        self.verdict = verdict
        self.actions = actions()
    }

    /// The foot.
    public var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            HStack(alignment: .firstTextBaseline, spacing: StudyStyle.gap) {
                if let symbol { Image(systemName: symbol).accessibilityHidden(true) }
                VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                    // A space holds the line's height while there is nothing to say.
                    Text(verbatim: verdict?.sentence ?? " ").font(StudyStyle.cardHeading)
                    Text(verbatim: verdict?.detail ?? " ").font(StudyStyle.small)
                }
            }
            .foregroundStyle(colour)
            .accessibilityElement(children: .combine)
            .accessibilityHidden(verdict == nil)
            actions
        }
        .padding(StudyStyle.gap)
        .frame(maxWidth: StudyStyle.sessionWidth, alignment: .leading)
        .frame(maxWidth: .infinity)
        .background(ground)
        .overlay(alignment: .top) { Divider() }
    }

    private var symbol: String? {
        switch verdict?.kind {
        case .right: "checkmark"
        case .wrong: "xmark"
        case Optional.none, .some(.none): nil
        }
    }

    private var colour: StudyColor {
        switch verdict?.kind {
        case .right: .right
        case .wrong: .wrong
        case Optional.none, .some(.none): .ink
        }
    }

    private var ground: StudyColor {
        switch verdict?.kind {
        case .right: .rightGround
        case .wrong: .wrongGround
        case Optional.none, .some(.none): .card
        }
    }
}
#endif
