import ContentModel

extension QuestionDraft {
    /// The names of the media that the question shows or plays.
    var mediaNames: [String] {
        ([image, audio?.file] + options.map(\.image)).compactMap(\.self)
    }

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
                note(.mediaLost, "the image \"\(name)\" is not kept; a question shows one")
            }
        }
        noteOtherMedia(of: content)
        return image
    }

    /// Notes the media of a text that shows none.
    mutating func noteMedia(of content: MarkupText) {
        for name in content.images { note(.mediaLost, "the image \"\(name)\" is not kept") }
        noteOtherMedia(of: content)
    }

    private mutating func noteOtherMedia(of content: MarkupText) {
        for name in content.otherMedia { note(.mediaLost, "\"\(name)\" is not kept") }
    }
}

extension ImportedDrafts {
    /// Gives what stands at no line the whole file as its place.
    mutating func placeAll(in file: String) {
        let none: Set = ["line 0", "paragraph 0"]
        for index in skipped.indices where none.contains(skipped[index].place) {
            skipped[index].place = file
        }
        for index in notes.indices where none.contains(notes[index].place) {
            notes[index].place = file
        }
    }
}
