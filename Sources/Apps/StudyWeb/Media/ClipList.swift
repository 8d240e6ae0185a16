import StudyModel
import Underway

/// The sounds of a subject that are on the device, in parts of at most ``clipsMax``.
struct ClipList {
    /// A sound, played by the browser when the learner asks.
    struct Clip {
        var id: String
        /// The author's title, else the name of the file.
        var name: String
        var source: String
    }

    /// The most sounds of a page.
    static let clipsMax = 100

    var clips: [Clip]
    /// The link to the sounds that follow.
    var more: PageFrame.Link?

    /// Reads the sounds from a place in their list; `nil` where there is none.
    init?(_ files: SubjectFiles, from first: Int, _ words: StudyText) {
        let sounds = files.fetched.filter { MediaType(name: $0.name)?.isSound == true }
        let rest = sounds.dropFirst(max(0, first))
        guard !rest.isEmpty else { return nil }
        clips = rest.prefix(Self.clipsMax).enumerated().map { index, file in
            Clip(
                id: "clip-\(index + 1)", name: files.titles[file.name] ?? file.name,
                source: MediaPages.path(of: file.checksum))
        }
        guard rest.count > Self.clipsMax else { return }
        more = .init(
            href: "/library/\(files.subject.id)?clips=\(max(0, first) + Self.clipsMax)#files",
            title: words.count("board.gap", rest.count - Self.clipsMax))
    }
}
