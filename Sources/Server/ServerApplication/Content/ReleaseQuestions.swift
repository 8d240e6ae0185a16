import ContentDatabase
import ContentModel
import ContentServer
import ServiceAPI
import Synchronization

/// The questions of a release directory, for a server without a database.
///
/// The banks that were read last stay in memory; others are parsed, a few at a time.
final class ReleaseQuestions: QuestionSource {
    /// The most banks in memory.
    static let banksMax = 4

    fileprivate struct State {
        var stamp: ServedFileStamp?
        var release: PublishedRelease?
        /// The least recently used first.
        var banks: [PublishedBank] = []
    }

    private let root: String
    private let gate = BoundedThreadPool()
    private let state = Mutex(State())

    init(root: String) { self.root = root }

    func changes(_ request: ChangesRequest) async throws -> ChangesPage? {
        try await bank(of: request.exam)?.changes(request)
    }

    func questions(_ request: QuestionsRequest) async throws -> QuestionsPage? {
        try await bank(of: request.exam)?.questions(request)
    }

    /// Returns the current bank of an exam; `nil` when the release has none.
    private func bank(of exam: ExamKey) async throws -> PublishedBank? {
        guard let stamp = ServedFileStamp(path: root + "/" + ContentRoutes.manifest) else {
            return nil
        }
        let known = state.withLock { state in
            state.stamp == stamp ? state.release.map { ($0, state.use(exam, in: $0)) } : nil
        }
        if let (release, bank) = known, bank != nil || release.reference(of: exam) == nil {
            return bank
        }
        return try await gate.run { try self.load(exam, stamp) }
    }

    /// Reads the manifest if it is another one, and the bank.
    private func load(_ exam: ExamKey, _ stamp: ServedFileStamp) throws -> PublishedBank? {
        let known = state.withLock { $0.stamp == stamp ? $0.release : nil }
        let release = try known ?? PublishedRelease(directory: root)
        if known == nil {
            state.withLock { state in
                state.stamp = stamp
                state.release = release
            }
        }
        guard let bank = try release.publishedBank(of: exam) else { return nil }
        state.withLock { $0.add(bank) }
        return bank
    }
}

extension ReleaseQuestions.State {
    /// Returns the bank of an exam if it is in memory, and marks it as used.
    fileprivate mutating func use(_ exam: ExamKey, in release: PublishedRelease) -> PublishedBank? {
        let checksum = release.reference(of: exam)?.checksum
        guard let index = banks.firstIndex(where: { $0.exam == exam && $0.checksum == checksum })
        else { return nil }
        let bank = banks.remove(at: index)
        banks.append(bank)
        return bank
    }

    fileprivate mutating func add(_ bank: PublishedBank) {
        banks.removeAll { $0.exam == bank.exam }
        banks.append(bank)
        if banks.count > ReleaseQuestions.banksMax { banks.removeFirst() }
    }
}
