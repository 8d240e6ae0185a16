public import ContentModel
import Dispatch
import Synchronization

/// Checks a content folder as a compiler checks a program: everything that is wrong, at once.
public enum ContentChecker {
    /// Reads the whole folder and reports each problem in the order of files and lines.
    ///
    /// - Parameters:
    ///   - root: The content folder.
    ///   - progress: Called with the units that are done and their number.
    /// - Returns: Errors and warnings, sorted.
    /// - Throws: `PublishingError` only when the folder itself cannot be read.
    public static func check(
        folder root: String, progress: PublishProgress? = nil
    ) throws -> [Problem] {
        let folder = try ContentFolder(root: root)
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        let settings = try folder.settings(report: report)
        let builder = UnitBuilder(root: root, settings: settings ?? .fallback)
        let built = try UnitBuilder.buildAll(folder.units, with: builder, progress: progress)
        return (report.problems + folder.problems + built.flatMap(\.problems)).sorted()
    }
}

extension FolderSettings {
    /// Stands in while the settings have errors, so that everything else is still checked.
    static let fallback = FolderSettings(
        name: "", contentBaseURL: nil, keptReleases: keptReleasesDefault,
        announcementLanguages: [])
}

/// Tells how many of the parts of something long are done; called from several threads.
public typealias PublishProgress = @Sendable (_ done: Int, _ total: Int) -> Void

extension UnitBuilder {
    /// Builds many units on all cores; the results stand in the order of the units.
    static func buildAll(
        _ units: [ContentUnit], with builder: UnitBuilder, progress: PublishProgress? = nil,
        finish: @Sendable (BuiltUnit) throws -> BuiltUnit = { $0 }
    ) throws -> [BuiltUnit] {
        let results = Mutex<[Result<BuiltUnit, any Error>?]>(
            .init(repeating: nil, count: units.count))
        let done = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: units.count) { index in
            let result = Result { try finish(try builder.build(units[index])) }
            results.withLock { $0[index] = result }
            progress?(done.add(1, ordering: .relaxed).newValue, units.count)
        }
        return try results.withLock { $0 }.compactMap { try $0?.get() }
    }
}
