import ServiceAPI
import UserService

/// Whether requests would succeed now.
struct Readiness: Sendable {
    private let files: ReleaseFiles
    private let database: CachedProbe<StorageObstacle?>?
    private let disk: DiskProbe?

    init(files: ReleaseFiles, users: AccountService?, dataFolder: String?) {
        self.files = files
        database = users.map { users in
            CachedProbe(
                lifetime: .seconds(ServiceLimits.databaseProbeSeconds),
                patience: .seconds(ServiceLimits.probePatienceSeconds), overdue: .noAnswer
            ) {
                await users.obstacle()
            }
        }
        disk = dataFolder.map(DiskProbe.init)
    }

    /// Returns the reason why requests would fail; `nil` when they would not.
    func obstacle() async -> String? {
        guard files.isReady else { return "There is no release to serve yet. Publish one." }
        if let obstacle = await database?.value() ?? nil { return obstacle.description }
        guard await disk?.isWritable() ?? true else {
            return "The folder of users' data cannot be written."
        }
        return nil
    }
}
