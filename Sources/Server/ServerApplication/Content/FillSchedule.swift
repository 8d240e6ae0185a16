import ContentServer

/// The decision, once a second, whether to fill the content tables from the release directory.
struct FillSchedule {
    /// The longest pause after failures, in seconds.
    static let pauseSecondsMax = 60

    /// The manifest that the tables were last filled from, and the release that they showed then.
    private var done: (stamp: ServedFileStamp, release: Int)?
    private var failures = 0
    private var pause = 0

    /// Counts a second.
    ///
    /// - Returns: True unless the pause after a failure lasts.
    mutating func secondPassed() -> Bool {
        pause = max(0, pause - 1)
        return pause == 0
    }

    /// Returns whether to fill the tables now.
    ///
    /// - Parameters:
    ///   - stamp: The manifest in the release directory.
    ///   - release: The release that the tables show. A smaller number than before means that the
    ///     database was restored from a backup.
    /// - Returns: True unless the tables were filled from this manifest.
    func isDue(_ stamp: ServedFileStamp, release: Int) -> Bool {
        guard let done else { return true }
        return done.stamp != stamp || release < done.release
    }

    /// Notes that the tables show the release of a manifest, or a later one.
    mutating func filled(from stamp: ServedFileStamp, release: Int) {
        done = (stamp, release)
        failures = 0
    }

    /// Notes a failure: the next attempts come after 1, 2, 4 … 60 seconds.
    mutating func failed() {
        failures += 1
        pause = min(Self.pauseSecondsMax, 1 << min(failures - 1, 10))
    }
}
