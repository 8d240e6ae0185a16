import Foundation
public import Underway

/// The audio of a language or the pictures of an exam, with the part that is on the device.
public struct SubjectFiles: Sendable, Hashable, Identifiable {
    /// The kinds of files.
    public enum Kind: String, Sendable, Hashable {
        /// Spoken clips.
        case audio
        /// Images.
        case pictures
        /// Images and spoken clips.
        case picturesAndAudio

        /// The ending of the keys of its words.
        var key: String {
            switch self {
            case .audio: "audio"
            case .pictures: "pictures"
            case .picturesAndAudio: "media"
            }
        }

        /// The kind of an exam's files.
        init(of names: [String]) {
            let clips = names.count(where: QuestionAudio.isPlayable)
            self = clips == 0 ? .pictures : clips == names.count ? .audio : .picturesAndAudio
        }
    }

    /// The language or exam.
    public var subject: Subject
    /// The kind.
    public var kind: Kind
    /// The number of all files.
    public var count: Int
    /// The files on the device, by name.
    public var fetched: [FileReference]
    /// The size of all files, in bytes.
    public var bytes: Int
    /// The size of the files on the device, in bytes.
    public var fetchedBytes: Int
    /// The bytes that removal would free: of fetched files, not of those in the app's bundle.
    public var removableBytes: Int
    /// The titles of clips by the names of their files, as the first question says that plays them.
    public var titles: [String: String] = [:]

    /// The sounds on the device, in the order of the release, with their titles.
    public var clips: [QuestionClip] {
        fetched.filter { QuestionAudio.isPlayable($0.name) }.map {
            QuestionClip(
                checksum: $0.checksum, title: titles[$0.name] ?? $0.name, isOnDevice: true)
        }
    }

    /// The number of files on the device.
    public var fetchedCount: Int { fetched.count }
    /// The subject's id.
    public var id: String { subject.id }
    /// True when all files are on the device.
    public var isComplete: Bool { fetchedCount == count }
}

/// A loader of the files of subjects that are on the device.
struct SubjectFilesLoader {
    private let services: StudyServices

    init(_ services: StudyServices) { self.services = services }

    /// Returns the files of a subject; `nil` for one without any.
    func files(of bank: QuestionFilter.Bank) async throws -> SubjectFiles? {
        let manifest = try await services.content.perform { try $0.manifest().value }
        let stored = try await services.content.perform { try $0.fetchedFiles() }
        var found = try await files(of: bank, manifest, stored: stored)
        if found.map({ $0.kind != .pictures }) == true {
            found?.titles = await titles(of: bank)
        }
        return found
    }

    /// Returns the subjects of which files could be removed, by title.
    func removable() async throws -> [SubjectFiles] {
        let stored = try await services.content.perform { try $0.fetchedFiles() }
        guard !stored.isEmpty else { return [] }
        let manifest = try await services.content.perform { try $0.manifest().value }
        var found: [SubjectFiles] = []
        for bank in manifest.banksWithFiles {
            guard let files = try await files(of: bank, manifest, stored: stored),
                files.removableBytes > 0
            else { continue }
            found.append(files)
        }
        return found.sorted { $0.subject.title < $1.subject.title }
    }

    /// Removes the files of a subject that no other subject uses.
    func remove(of bank: QuestionFilter.Bank) async throws {
        let manifest = try await services.content.perform { try $0.manifest().value }
        guard let list = manifest.files(of: bank) else { throw StudyProblem(.notFound) }
        let others = manifest.banksWithFiles.filter { $0 != bank }.flatMap { other in
            manifest.files(of: other)?.files.map(\.checksum) ?? []
        }
        let own = Set(list.files.map(\.checksum)).subtracting(others)
        _ = try await services.content.perform { try $0.removeFetchedFiles(own) }
    }

    private func files(
        of bank: QuestionFilter.Bank, _ manifest: Manifest, stored: [Checksum: Int]
    ) async throws -> SubjectFiles? {
        guard let list = manifest.files(of: bank), !list.files.isEmpty else { return nil }
        var found = SubjectFiles(
            subject: await subject(bank), kind: bank.filesKind(list), count: list.files.count,
            fetched: [], bytes: list.files.reduce(0) { $0 + ($1.size ?? 0) }, fetchedBytes: 0,
            removableBytes: 0)
        found.fetched = try await services.content.perform { [now = services.clock()] content in
            try list.files.filter { try content.lazyFile($0.checksum, now: now) != nil }
        }
        found.fetchedBytes = found.fetched.reduce(0) {
            $0 + ($1.size ?? stored[$1.checksum] ?? 0)
        }
        found.removableBytes = Set(list.files.map(\.checksum)).reduce(0) {
            $0 + (stored[$1] ?? 0)
        }
        return found
    }

    private func titles(of bank: QuestionFilter.Bank) async -> [String: String] {
        // Without the bank clips have the names of their files.
        let blueprint = try? await services.content.perform { try $0.blueprint(bank).value }
        let clips = (blueprint?.questions ?? []).compactMap(\.audio)
        return Dictionary(
            clips.compactMap { clip in clip.title.map { (clip.file, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private func subject(_ bank: QuestionFilter.Bank) async -> Subject {
        if case .placement(let language) = bank { return Subject(language: language) }
        // Files of an exam that this version cannot read have its name.
        guard let blueprint = try? await services.content.perform({ try $0.blueprint(bank).value })
        else {
            return Subject(bank: bank, title: bank.name)
        }
        return Subject(blueprint, of: bank)
    }
}

extension QuestionFilter.Bank {
    /// Returns the kind of the bank's files.
    fileprivate func filesKind(_ list: FileList) -> SubjectFiles.Kind {
        switch self {
        case .placement: .audio
        case .exam: .init(of: list.files.map(\.name))
        }
    }

    /// The group of the bank's files.
    var fileGroup: FileGroup {
        switch self {
        case .placement(let language): .audio(language: language)
        case .exam: .media(exam: name)
        }
    }
}

extension Manifest {
    /// The languages with audio and the exams with pictures.
    fileprivate var banksWithFiles: [QuestionFilter.Bank] {
        let names =
            languages.filter { $0.value.audio != nil }.map { "\($0.key)" }
            + exams.filter { $0.value.media != nil }.map { "\($0.key)" }
        return names.sorted().compactMap(QuestionFilter.Bank.init(name:))
    }
}
