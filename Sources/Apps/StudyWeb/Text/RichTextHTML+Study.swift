import PageRendering
import StudyModel
import Underway

extension RichTextHTML {
    /// Writes texts with the words of a language.
    ///
    /// - Parameters:
    ///   - words: The words of the interface.
    ///   - images: The pictures that the device has, by their names; the others are shown by their words.
    init(_ words: StudyText, images: [String: Checksum] = [:]) {
        self.init(codeName: words["session.code"], tableName: words["session.table"]) { name in
            images[name].map { MediaPages.path(of: $0) }
        }
    }
}

extension RichText {
    /// The text on one line, as a title shows it, see ``HTMLText/cleaned(_:)``.
    var titleText: String {
        HTMLText.cleaned(plainText.split(separator: "\n").joined(separator: " "))
    }
}
