import ContentModel
import Foundation

/// The media of a deck, and what becomes of those that its texts show or play.
struct FlashcardMedia {
    /// The files by their names in the texts.
    let files: [String: [UInt8]]

    /// Shows the first picture of a question's text that is there, and notes other media.
    func show(_ content: MarkupText, in draft: inout QuestionDraft) {
        for source in content.images {
            if draft.image == nil, let name = name(source) {
                draft.image = name
            } else if draft.image != name(source) || draft.image == nil {
                note(source, in: &draft)
            }
        }
        noteOthers(content, in: &draft)
    }

    /// Returns the first picture of an option's text that is there, and notes other media.
    func image(of content: MarkupText, in draft: inout QuestionDraft) -> String? {
        let image = content.images.lazy.compactMap(name).first
        for source in content.images where image == nil || name(source) != image {
            note(source, in: &draft)
        }
        noteOthers(content, in: &draft)
        return image
    }

    /// Notes all media of a text that is shown without them.
    func note(_ content: MarkupText, in draft: inout QuestionDraft) {
        for source in content.images { note(source, in: &draft) }
        noteOthers(content, in: &draft)
    }

    /// Returns the file of a source, which may be escaped as in an address.
    private func name(_ source: String) -> String? {
        [source, source.removingPercentEncoding ?? source].first {
            files[$0] != nil && ContentPath($0) != nil
        }
    }

    private func note(_ source: String, in draft: inout QuestionDraft) {
        if name(source) == nil {
            draft.note(.missing, "the image \"\(source)\" was not found")
        } else {
            draft.note(.mediaLost, "the image \"\(source)\" is not kept")
        }
    }

    private func noteOthers(_ content: MarkupText, in draft: inout QuestionDraft) {
        let sounds =
            content.text.contains("[sound:")
            ? content.text.matches(of: Pattern.sound).map { String($0.1) } : []
        for name in content.otherMedia + sounds {
            draft.note(.mediaLost, "\"\(name)\" is not kept")
        }
    }

    /// Returns a text without the marks of its sounds.
    static func withoutSounds(_ text: String) -> String {
        guard text.contains("[sound:") else { return text.trimmed }
        return text.replacing(Pattern.sound, with: "").trimmed
    }
}
