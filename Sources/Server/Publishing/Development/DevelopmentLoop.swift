public import ContentModel
public import ServiceAPI

/// The outcome of one publish of a content folder under development.
public struct DevelopmentOutcome: Sendable, Equatable {
    /// The event for apps.
    public var event: DevelopmentEvent
    /// The readable paths that changed; empty if nothing is new.
    public var changed: [String]
    /// Warnings, or the errors that prevented the publish.
    public var problems: [Problem]
    /// The time from the change to the end of the publish.
    public var duration: Duration
}

/// A loop that publishes a content folder to a development release after each change.
///
/// Content with errors is not published: the last good release remains current.
public struct DevelopmentLoop: Sendable {
    /// The number of releases whose objects are retained.
    public static let keptReleases = 5

    private let publisher: Publisher
    private let watcher: FolderWatcher
    private let moment: @Sendable () -> (seconds: Int, text: String)

    /// Starts watching a folder.
    ///
    /// - Parameters:
    ///   - folder: The content folder.
    ///   - releaseDirectory: The release directory; manual edits in it are overwritten.
    ///   - moment: The wall clock, in seconds since 1970 and in RFC 3339.
    /// - Throws: `PublishingError` `noSuchContent` if it is not a content folder, `unreadable` if it cannot be
    ///   watched, `invalidRequest` if the release directory contains a release for users.
    public init(
        folder: String, releaseDirectory: String,
        moment: @escaping @Sendable () -> (seconds: Int, text: String)
    ) throws {
        var publisher = Publisher(
            folder: folder, releaseDirectory: releaseDirectory, driftPolicy: .overwrite)
        publisher.isForDevelopment = true
        self.publisher = publisher
        self.moment = moment
        try publisher.checkFolders()
        try Self.claim(publisher.releaseDirectory)
        watcher = try FolderWatcher(root: publisher.folder)
    }

    /// Marks a release directory as one for development, so that no save ever reaches users.
    private static func claim(_ directory: String) throws {
        let mark = directory + "/.underway/development"
        guard Files.look(mark) == nil else { return }
        guard Files.look(directory + "/releases") == nil else {
            throw PublishingError(
                .invalidRequest,
                "\(directory) holds a release for users. Name another folder for development.")
        }
        try Files.makeFolder(directory + "/.underway")
        try Files.replace(mark, [])
    }

    /// Publishes now and after each change, until it is cancelled or the folder is removed.
    ///
    /// - Parameter report: A callback with each outcome, the same for terminal and apps.
    public func run(report: @Sendable (DevelopmentOutcome) async -> Void) async {
        await report(await publish())
        for await _ in watcher.changes {
            // A short delay: saving several files, or one in several steps, is one change.
            try? await Task.sleep(for: .milliseconds(2))
            guard !Task.isCancelled else { return }
            let outcome = await publish()
            await report(outcome)
            if case .release(let number) = outcome.event, number % 20 == 0 {
                // Old objects do no harm; the next prune may succeed.
                _ = try? publisher.prune(keep: Self.keptReleases)
            }
        }
    }

    /// Publishes the current state of the folder.
    @concurrent public func publish() async -> DevelopmentOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        let now = moment()
        func outcome(
            _ event: DevelopmentEvent, changed: [String] = [], problems: [Problem] = []
        ) -> DevelopmentOutcome {
            DevelopmentOutcome(
                event: event, changed: changed, problems: problems, duration: clock.now - start)
        }
        do {
            let summary = try publisher.publish(nowSeconds: now.seconds, generatedAt: now.text)
            return outcome(
                .release(summary.release), changed: summary.changed + summary.removed,
                problems: summary.warnings)
        } catch let error as PublishingError where error.code == .contentErrors {
            return outcome(.problems(error.problems), problems: error.problems)
        } catch let error as PublishingError {
            return outcome(.failure(error.message))
        } catch {
            return outcome(.failure("\(error)"))
        }
    }
}
