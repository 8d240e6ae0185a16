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
        let built = try UnitBuilder.buildAll(folder.units, with: builder, progress: progress) {
            $0.withoutBytes
        }
        var problems = report.problems + folder.problems + built.flatMap(\.problems)
        if !problems.contains(where: { $0.rule.severity == .error }) {
            let manifest = try manifest(folder.units, built, settings)
            problems += DeviceCheck.problems(ofManifest: manifest)
        }
        return problems.sorted()
    }

    /// The manifest that a publish would make, with a time and a number as long as real ones.
    private static func manifest(
        _ units: [ContentUnit], _ built: [BuiltUnit], _ settings: FolderSettings?
    ) throws -> [UInt8] {
        let moment = "2000-01-01T00:00:00Z"
        let indexed = zip(units, built).map { unit, built in
            IndexedUnit(
                step: unit.step, name: unit.name, fragment: built.fragment, updatedAt: moment,
                files: [])
        }
        return try ManifestAssembly.bytes(
            units: RecordTable(indexed), release: 1_000_000, generatedAt: moment,
            baseURL: settings?.contentBaseURL)
    }
}

extension BuiltUnit {
    /// The unit with only what is said of its files, so that checking a library takes no memory for all
    /// of it.
    fileprivate var withoutBytes: BuiltUnit {
        var unit = self
        for position in unit.files.indices { unit.files[position].bytes = .made([]) }
        return unit
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
