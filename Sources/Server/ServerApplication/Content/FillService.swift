import ContentDatabase
import ContentModel
import ContentServer
import Foundation
import Logging
import ServiceAPI
import ServiceLifecycle

/// The service that fills the content tables whenever the release directory has a new manifest.
///
/// Each process of a server runs one; the lock of the tables lets one of them fill at a time, and the
/// others find the tables up to date.
struct FillService: Service {
    let tables: ContentTables
    let release: String
    let logger: Logger

    init(tables: ContentTables, release: String, logger: Logger) {
        self.tables = tables
        self.release = release
        self.logger = logger
    }

    /// The most left out questions of a fill that the log names.
    private static let leftOutMax = 20

    func run() async throws { await ReleaseWatch.run { await step(&$0) } }

    private func step(_ schedule: inout FillSchedule) async {
        guard schedule.secondPassed(),
            let stamp = ServedFileStamp(path: release + "/" + ContentRoutes.manifest)
        else { return }
        do {
            let position = try await tables.position()
            guard schedule.isDue(stamp, release: position.release) else { return }
            let now = Moment(microseconds: Int64(Date().timeIntervalSince1970 * 1e6))
            switch try await tables.fill(from: release, now: now) {
            case .locked: break
            case .current: schedule.filled(from: stamp, release: position.release)
            case .filled(let report):
                schedule.filled(from: stamp, release: report.release)
                note(report)
            }
        } catch is CancellationError {
            return
        } catch {
            schedule.failed()
            let cause = (error as? ContentDatabaseError)?.cause
            logger.error(
                "the content tables were not filled",
                metadata: ["reason": "\(error)", "cause": "\(cause.map { "\($0)" } ?? "")"])
        }
    }

    private func note(_ report: FillReport) {
        logger.info(
            "the content tables were filled",
            metadata: [
                "release": "\(report.release)", "revision": "\(report.revision)",
                "written": "\(report.questionsWritten)", "removed": "\(report.questionsRemoved)",
            ])
        for text in report.leftOut.prefix(Self.leftOutMax) {
            logger.warning("a question is not in the tables", metadata: ["reason": "\(text)"])
        }
    }
}
