public import ContentModel
public import ServiceAPI

/// What came of one change of a content folder under development.
public struct DevelopmentOutcome: Sendable, Equatable {
    /// What apps are told.
    public var event: DevelopmentEvent
    /// Readable paths that changed; empty where nothing is new.
    public var changed: [String]
    /// Warnings, or the errors that kept it from being published.
    public var problems: [Problem]
    /// From the change to the end of the publish.
    public var duration: Duration
}

/// Publishes a content folder to a development release whenever something in it changes.
///
/// Content with errors is not published: the last good release stays.
public struct DevelopmentLoop: Sendable {
    /// How many releases keep their objects.
    public static let keptReleases = 5

    private let publisher: Publisher
    private let watcher: FolderWatcher
    private let moment: @Sendable () -> (seconds: Int, text: String)

    /// Watches a folder.
    ///
    /// - Parameters:
    ///   - folder: The content folder.
    ///   - release: The release directory; what was edited there by hand is overwritten.
    ///   - moment: The wall clock, in seconds since 1970 and in RFC 3339.
    /// - Throws: `PublishingError` `noSuchContent` when it is not a content folder, `unreadable` when
    ///   it cannot be watched, `invalidRequest` when something was published to the release directory for users.
    public init(
        folder: String, release: String,
        moment: @escaping @Sendable () -> (seconds: Int, text: String)
    ) throws {
        var publisher = Publisher(folder: folder, release: release, driftPolicy: .overwrite)
        publisher.isForDevelopment = true
        self.publisher = publisher
        self.moment = moment
        try publisher.demandFolders()
        try Self.claim(publisher.release)
        watcher = try FolderWatcher(root: publisher.folder)
    }

    /// Marks a release directory as one for development, so that no save ever reaches users.
    private static func claim(_ release: String) throws {
        let mark = release + "/.underway/development"
        guard Files.look(mark) == nil else { return }
        guard Files.look(release + "/releases") == nil else {
            throw PublishingError(
                .invalidRequest,
                "\(release) holds a release for users. Name another folder for development.")
        }
        try Files.makeFolder(release + "/.underway")
        try Files.replace(mark, [])
    }

    /// Publishes now and after each change, until it is cancelled or the folder is gone.
    ///
    /// - Parameter report: Told what came of each; what is in it is the same for terminal and apps.
    public func run(report: @Sendable (DevelopmentOutcome) async -> Void) async {
        await report(await publish())
        for await _ in watcher.changes {
            // Saving several files, or one in several steps, is one change.
            try? await Task.sleep(for: .milliseconds(2))
            guard !Task.isCancelled else { return }
            let outcome = await publish()
            await report(outcome)
            if case .release(let number) = outcome.event, number % 20 == 0 {
                // Old objects harm no one; the next time may do better.
                _ = try? publisher.prune(keep: Self.keptReleases)
            }
        }
    }

    /// Publishes what is there now.
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
