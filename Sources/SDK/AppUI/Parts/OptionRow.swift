#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
public import SwiftUI
public import Underway

/// An option of a question: a row with a mark, selectable as a whole.
///
/// Its height and place do not change when the answer is checked.
public struct OptionRow: View {
    /// The mark at the start of the row.
    public enum Mark: Sendable, Hashable {
        /// A circle, for the choice of one option.
        case one
        /// A square, for the choice of several options.
        case several
    }

    /// The state of an option, with its mark unless it is open.
    public enum Standing: Sendable, Hashable {
        /// The option is not chosen.
        case open
        /// The option is chosen and not checked.
        case chosen
        /// The option is right, with its mark.
        case right(String)
        /// The option was chosen and is wrong, with its mark.
        case wrong(String)
        /// The option is neither right nor chosen, after the check.
        case faded
    }

    private let text: RichText
    private let mark: Mark
    private let standing: Standing
    private let key: Int?
    private let picture: QuestionPicture?
    private let choose: @MainActor () -> Void
    @Environment(\.usesStudyKeys) private var usesKeys
    @Environment(\.studyFormats) private var formats

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - text: The option's text.
    ///   - mark: The mark, for one choice or several.
    ///   - standing: The state of the option.
    ///   - key: The number key that chooses it, from 1 to 9; `nil` for none.
    ///   - choose: The action of a selection; none after the check.
    public init(
        _ text: RichText, mark: Mark, standing: Standing, key: Int? = nil,
        choose: @escaping @MainActor () -> Void
    ) {
        self.init(
            text, mark: mark, standing: standing, key: key, picture: nil, choose: choose)
    }

    /// Creates a row with a picture above its text.
    init(
        _ text: RichText, mark: Mark, standing: Standing, key: Int?, picture: QuestionPicture?,
        choose: @escaping @MainActor () -> Void
    ) {
        self.picture = picture
        self.text = text
        self.mark = mark
        self.standing = standing
        self.key = key
        self.choose = choose
    }

    /// The row.
    public var body: some View {
        Button(action: choose) {
            HStack(spacing: StudyStyle.gap) {
                Image(systemName: symbol).foregroundStyle(look.edge).imageScale(.large)
                VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                    picture
                    RichTextView(text).font(StudyStyle.answer)
                        .foregroundStyle(look.text)
                        .multilineTextAlignment(.leading)
                }
                .frame(maxWidth: .infinity, alignment: .leading)
                if let word {
                    Text(verbatim: word).font(StudyStyle.small).bold().foregroundStyle(look.edge)
                }
            }
            .padding(.horizontal, StudyStyle.gap)
            .padding(.vertical, StudyStyle.gapSmall)
            .frame(minHeight: StudyStyle.optionHeight)
            .background(look.ground, in: shape)
            .overlay { shape.strokeBorder(look.edge, lineWidth: look.lineWidth) }
            .contentShape(shape)
        }
        .buttonStyle(.plain)
        .disabled(isChecked)
        .keyboardShortcut(shortcut)
        .accessibilityLabel(name)
        .accessibilityValue(word ?? "")
        .accessibilityAddTraits(isChosen ? .isSelected : [])
    }

    /// The text in words; a picture without one is named by its key.
    private var name: String {
        let spoken = text.spokenText(formats.words)
        guard spoken.isEmpty else { return spoken }
        return [formats.words["session.picture"], key.map { formats.number($0) }].compactMap(\.self)
            .joined(separator: " ")
    }

    private var shape: RoundedRectangle { RoundedRectangle(cornerRadius: StudyStyle.fieldRadius) }

    private var shortcut: KeyboardShortcut? {
        guard usesKeys, let key, (1...9).contains(key) else { return nil }
        return KeyboardShortcut(KeyEquivalent(Character("\(key)")), modifiers: [])
    }

    private var isChecked: Bool {
        switch standing {
        case .open, .chosen: false
        case .right, .wrong, .faded: true
        }
    }

    private var isChosen: Bool {
        switch standing {
        case .chosen, .wrong: true
        case .open, .right, .faded: false
        }
    }

    private var word: String? {
        switch standing {
        case .right(let word), .wrong(let word): word
        case .open, .chosen, .faded: nil
        }
    }

    private var symbol: String {
        switch (standing, mark) {
        case (.right, _): "checkmark"
        case (.wrong, _): "xmark"
        case (.chosen, .one): "largecircle.fill.circle"
        case (.chosen, .several): "checkmark.square.fill"
        case (_, .one): "circle"
        case (_, .several): "square"
        }
    }

    private var look: OptionLook { OptionLook(standing) }
}

/// The colours of an option by its standing.
private struct OptionLook {
    var ground = StudyColor.card
    var edge = StudyColor.edge
    var text = StudyColor.ink
    var lineWidth: CGFloat = 1

    init(_ standing: OptionRow.Standing) {
        switch standing {
        case .open: break
        case .chosen: (ground, edge, lineWidth) = (.tint, .accent, 2)
        case .right: (ground, edge, lineWidth) = (.rightGround, .right, 2)
        case .wrong: (ground, edge, lineWidth) = (.wrongGround, .wrong, 2)
        case .faded: (edge, text) = (.line, .soft)
        }
    }
}
#endif
