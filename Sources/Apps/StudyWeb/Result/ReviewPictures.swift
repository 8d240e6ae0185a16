import PageRendering
import StudyModel
import Underway

/// The pictures and clips of a review's questions, those that are on the device: paper fetches nothing later.
struct ReviewPictures {
    /// The frame of a picture in pixels.
    private static let frame = (width: 480, height: 200)

    private let files: [String: Checksum]
    private let sizes: PictureSizes
    private let words: StudyText

    /// Reads the pictures and clips of questions.
    init(_ questions: [Question], of bank: QuestionFilter.Bank, _ page: PageRequest) async {
        let names = Set(questions.flatMap { [$0.image, $0.audio?.file].compactMap(\.self) })
        words = page.words
        // A picture that cannot be read is left out: the answer can be read without it.
        let all =
            names.isEmpty
            ? [] : try? await page.services.content.perform { try $0.manifest().value.entries }
        let own = (all ?? []).filter {
            [.media, .audio].contains($0.kind) && $0.key == bank.name && names.contains($0.name)
        }
        files = Dictionary(
            own.map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first })
        sizes = await PictureSizes(of: files.values, page.services)
    }

    /// Returns the picture of a question; `nil` for none, or none on the device.
    func picture(of question: Question) -> PictureView? {
        guard let checksum = question.image.flatMap({ files[$0] }), sizes.isHere(checksum) else {
            return nil
        }
        return PictureView(checksum, sizes.size(checksum, in: Self.frame), words: words)
    }

    /// Returns the clip of a question; `nil` for none, or none on the device.
    func clip(of question: Question) -> QuestionClip? {
        guard let audio = question.audio, let checksum = files[audio.file], sizes.isHere(checksum)
        else { return nil }
        return QuestionClip(checksum: checksum, title: audio.title, isOnDevice: true)
    }
}
