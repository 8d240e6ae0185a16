extension QuestionDraft {
    /// Returns the one image that a question shows, and notes the media of a text that it does not show.
    ///
    /// - Parameters:
    ///   - content: The text.
    ///   - shown: The image that the question shows already.
    ///   - resolve: Gives the name of a file for a reference.
    /// - Returns: The name of the image; `nil` for none.
    mutating func takeMedia(
        of content: MarkupText, shown: String?, naming resolve: (String) -> String = { $0 }
    ) -> String? {
        var image = shown
        for name in content.images.map(resolve) where name != image {
            if image == nil {
                image = name
            } else {
                notes.append("the image \"\(name)\" is not kept; a question shows one")
            }
        }
        noteOtherMedia(of: content)
        return image
    }

    /// Notes the media of a text that shows none.
    mutating func noteMedia(of content: MarkupText) {
        for name in content.images { notes.append("the image \"\(name)\" is not kept") }
        noteOtherMedia(of: content)
    }

    private mutating func noteOtherMedia(of content: MarkupText) {
        for name in content.otherMedia { notes.append("\"\(name)\" is not kept") }
    }
}
