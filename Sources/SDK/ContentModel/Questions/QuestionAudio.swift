/// The clip of a question: a file with a sound, its title and what is heard.
///
/// ```swift
/// let clip = QuestionAudio(file: "call.m4a", title: "A call at the station")
/// ```
public struct QuestionAudio: Hashable, Sendable {
    /// The name of the file: of the exam's media, or of the audio of a placement test's language.
    public var file: String
    /// The title beside the player, which says what kind of sound it is and gives nothing away.
    public var title: String?
    /// What is heard, in words, which learners see after the answer.
    public var transcript: String?

    /// Creates a clip.
    public init(file: String, title: String? = nil, transcript: String? = nil) {
        self.file = file
        self.title = title
        self.transcript = transcript
    }

    /// The ends of the names of files that apps play.
    package static let fileEndings = ["mp3", "m4a", "aac", "ogg", "oga", "opus", "wav"]

    /// Returns true for the name of a file that apps play.
    package static func isPlayable(_ name: String) -> Bool {
        let name = name.lowercased()
        return fileEndings.contains { name.hasSuffix("." + $0) }
    }

    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "file": .string(file), "title": title.map { .string($0) },
            "transcript": transcript.map { .string($0) },
        ])
    }
}

extension QuestionAudio {
    /// Reads the member `audio` of a question; reports the problem and returns `nil` when it is unusable.
    static func read(_ question: ObjectReader) -> QuestionAudio? {
        guard let node = question.node("audio"),
            let reader = ObjectReader(node, as: .audio, report: question.report),
            reader.requiredNode("file") != nil,
            let file = Question.readMediaName(reader, "file")
        else { return nil }
        let clip = QuestionAudio(
            file: file, title: text("title", reader), transcript: text("transcript", reader))
        reader.report.lint { clip.lint(reader, at: node.position) }
        return clip
    }

    private static func text(_ name: String, _ reader: ObjectReader) -> String? {
        guard let node = reader.node(name), let text = reader.string(name) else { return nil }
        reader.checkLength(text, of: name, at: node.position)
        return text
    }

    private func lint(_ reader: ObjectReader, at position: SourcePosition) {
        if !Self.isPlayable(file) {
            reader.report.note(
                .invalidValue, at: reader.node("file")?.position ?? position,
                "\"\(file)\" is no sound that apps play",
                hint: "Use a file whose name ends with one of: "
                    + Self.fileEndings.joined(separator: ", ") + ".")
        }
        if title?.isBlank ?? true {
            reader.report.note(
                .audioTitle, at: position, "the clip \"\(file)\" has no title")
        }
    }
}
