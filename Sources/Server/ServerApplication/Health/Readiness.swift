import ContentServer
import Ledger
import ServiceAPI
import Tables
import Telemetry

/// The readiness of the server: the reasons why requests would fail now.
struct Readiness: Sendable {
    private let files: ReleaseFiles
    private let database: CachedProbe<StorageObstacle?>?
    private let writes: CachedProbe<StorageObstacle?>?
    private let disk: DiskProbe?

    init(files: ReleaseFiles, users: UserBackend?, dataFolder: String?) {
        self.files = files
        database = users.map { users in
            Self.probe(ServiceLimits.databaseProbeSeconds, overdue: .noAnswer) {
                await users.obstacle()
            }
        }
        writes = users.map { users in
            Self.probe(ServiceLimits.diskProbeSeconds, overdue: .noWrite) {
                await users.writeObstacle()
            }
        }
        disk = dataFolder.map { DiskProbe(folder: $0) }
    }

    private static func probe(
        _ lifetimeSeconds: Int, overdue: StorageObstacle,
        _ look: @escaping @Sendable () async -> StorageObstacle?
    ) -> CachedProbe<StorageObstacle?> {
        CachedProbe(
            lifetime: .seconds(lifetimeSeconds),
            patience: .seconds(ServiceLimits.probePatienceSeconds), overdue: overdue, look)
    }

    /// Returns the reason why requests would fail; `nil` when they would not.
    func obstacle() async -> String? {
        guard files.isReady else { return "There is no release to serve yet. Publish one." }
        return await storageObstacle()
    }

    private func storageObstacle() async -> String? {
        // The first look names a database that is gone better than a write that fails.
        if let obstacle = await database?.value() ?? nil { return obstacle.description }
        if let obstacle = await writes?.value() ?? nil { return obstacle.description }
        guard await disk?.isWritable() ?? true else {
            return "The folder of users' data cannot be written."
        }
        return nil
    }

    /// Returns the metrics of readiness and of writable user data.
    func samples() async -> [MetricSample] {
        let isReady = MetricSample("underway_ready", await obstacle() == nil ? 1 : 0)
        guard database != nil else { return [isReady] }
        return [
            isReady,
            MetricSample("underway_storage_writable", await storageObstacle() == nil ? 1 : 0),
        ]
    }
}
