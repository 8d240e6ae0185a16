import Foundation
public import Underway

/// The clip of a question on a screen.
public struct QuestionClip: Sendable, Hashable {
    /// The file.
    public var checksum: Checksum
    /// The author's title; `nil` for none.
    public var title: String?
    /// True if it can be played without a connection; else it is fetched with the subject's files.
    public var isOnDevice: Bool

    /// Creates a clip.
    public init(checksum: Checksum, title: String?, isOnDevice: Bool) {
        self.checksum = checksum
        self.title = title
        self.isOnDevice = isOnDevice
    }

    /// Returns the title of the player.
    public func shownTitle(_ words: StudyText) -> String { title ?? words["session.clip"] }
}

extension Question {
    /// What the question's clip says, in words, for after the answer; `nil` where the author does not say it.
    public var transcript: RichText? {
        guard let text = audio?.transcript, !text.isEmpty else { return nil }
        return RichText(text, form: .plain)
    }
}

/// A loader of the files that a question names.
struct QuestionFiles {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the question's images by name, without those that the release lacks.
    func images(
        of question: Question, in bank: QuestionFilter.Bank
    ) async throws -> [String: Checksum] {
        guard case .exam = bank else { return [:] }
        return try await files(question.imageNames, bank)
    }

    /// Returns the question's clip; `nil` for none, or one that the release lacks.
    func clip(of question: Question, in bank: QuestionFilter.Bank) async throws -> QuestionClip? {
        guard let audio = question.audio,
            let checksum = try await files([audio.file], bank)[audio.file]
        else { return nil }
        let file = await file(checksum)
        let title = audio.title.flatMap { $0.isEmpty ? nil : $0 }
        return QuestionClip(checksum: checksum, title: title, isOnDevice: file != nil)
    }

    /// Returns the sizes of images that are on the device, by name, as far as a format knows them.
    func sizes(_ images: [String: Checksum]) async -> [String: PictureSize] {
        var sizes: [String: PictureSize] = [:]
        for (name, checksum) in images {
            guard let file = await file(checksum) else { continue }
            sizes[name] = await Self.size(of: file)
        }
        return sizes
    }

    /// Returns the bytes of a file; `nil` for one that is not on the device or too large.
    func bytes(_ checksum: Checksum) async -> [UInt8]? {
        guard let file = await file(checksum) else { return nil }
        return await Self.bytes(of: file)
    }

    private func file(_ checksum: Checksum) async -> URL? {
        // A file that cannot be read is left out: the question can be answered without it.
        let found = try? await services.content.perform { [now = services.clock()] in
            try $0.lazyFile(checksum, now: now)
        }
        return found ?? nil
    }

    /// Reads a file outside the main actor.
    @concurrent private static func bytes(of file: URL) async -> [UInt8]? {
        guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize,
            size <= SessionModel.pictureBytesMax, let data = try? Data(contentsOf: file)
        else { return nil }
        return Array(data)
    }

    /// Reads the beginning of a file outside the main actor.
    @concurrent private static func size(of file: URL) async -> PictureSize? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        defer { try? handle.close() }
        guard let head = try? handle.read(upToCount: PictureSize.headBytes) else { return nil }
        return PictureSize([UInt8](head))
    }

    private func files(
        _ list: [String], _ bank: QuestionFilter.Bank
    ) async throws -> [String: Checksum] {
        let names = Set(list)
        guard !names.isEmpty else { return [:] }
        let manifest = try await services.content.perform { try $0.manifest().value }
        return Dictionary(
            (manifest.files(of: bank)?.files ?? []).filter { names.contains($0.name) }
                .map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first })
    }
}
