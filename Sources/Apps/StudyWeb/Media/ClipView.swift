import PageRendering
import StudyModel
import Underway

/// The clip of a question, under the names of `part_clip`.
struct ClipView {
    var id: String
    var title: String
    /// The language of the title; `nil` for a title of the interface.
    var titleContent: ContentLanguage?
    /// The address of the file; `nil` while it is not on the device.
    var source: String?
    /// The sentence about a file that is not here, with the link to where it is fetched.
    var missing: String
    var get: PageFrame.Link

    /// Shows a clip.
    ///
    /// - Parameters:
    ///   - clip: The clip; `nil` for a question without one.
    ///   - id: An id that no other element of the page has.
    ///   - subject: The subject of the question.
    ///   - words: The words of the page.
    init?(_ clip: QuestionClip?, id: String, of subject: Subject, _ words: StudyText) {
        guard let clip else { return nil }
        self.id = id
        title = clip.shownTitle(words)
        titleContent = clip.title == nil ? nil : ContentLanguage(subject.contentLanguage)
        source = clip.isOnDevice ? MediaPages.path(of: clip.checksum) : nil
        missing = words["session.clipMissing"]
        get = .init(href: "/library/\(subject.id)#files", title: words["subject.getAudio"])
    }
}
