import ContentDatabase
import ContentModel
import ContentServer
import Foundation
import Ledger
import Logging
import ServiceAPI
import ServiceLifecycle

/// The service that stores the difficulties of a release's questions beside the answers of users on SQLite,
/// whenever the release directory has a new manifest.
struct DifficultyService: Service {
    /// The most banks of a transaction, for which writers of answers wait.
    private static let banksMax = 50

    let difficulties: QuestionDifficulties
    let release: String
    let logger: Logger
    private let gate = BoundedThreadPool()

    init(difficulties: QuestionDifficulties, release: String, logger: Logger) {
        self.difficulties = difficulties
        self.release = release
        self.logger = logger
    }

    func run() async throws { await ReleaseWatch.run { await step(&$0) } }

    private func step(_ schedule: inout FillSchedule) async {
        guard schedule.secondPassed(),
            let stamp = ServedFileStamp(path: release + "/" + ContentRoutes.manifest),
            schedule.isDue(stamp, release: 0)
        else { return }
        do {
            try await fill()
            schedule.filled(from: stamp, release: 0)
        } catch is CancellationError {
            return
        } catch {
            schedule.failed()
            logger.error(
                "the difficulties of questions were not stored", metadata: ["reason": "\(error)"])
        }
    }

    /// Reads the banks that changed.
    private func fill() async throws {
        let directory = release
        let published = try await gate.run { try PublishedRelease(directory: directory) }
        let stored = try await difficulties.checksums()
        let exams = published.exams
        let names = Set(exams.keys.map(\.description))
        try await difficulties.remove(stored.keys.filter { !names.contains($0) })
        var banks: [QuestionDifficulties.Bank] = []
        for (exam, checksum) in exams where stored[exam.description] != checksum.description {
            banks.append(
                QuestionDifficulties.Bank(
                    name: exam.description, checksum: checksum.description,
                    difficulties: try await gate.run { try published.difficulties(of: exam) }))
            guard banks.count == Self.banksMax else { continue }
            try await difficulties.replace(banks)
            banks = []
        }
        try await difficulties.replace(banks)
    }
}
