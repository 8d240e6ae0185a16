public import ContentModel
import Synchronization

/// A checker of content folders, which reports all problems at once, as a compiler does.
public enum ContentChecker {
    /// Checks the whole folder, and returns the problems in the order of files and lines.
    ///
    /// - Parameters:
    ///   - root: The content folder.
    ///   - supports: Profiles of the app in addition to those of the folder's settings: files, or folders of them.
    ///   - progress: A callback with the number of checked units and of all units.
    /// - Returns: Errors and warnings, sorted.
    /// - Throws: `PublishingError` only if the folder itself is unreadable.
    public static func check(
        folder root: String, supports: [String] = [], progress: PublishProgress? = nil
    ) throws -> [Problem] {
        let folder = try ContentFolder(root: root)
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        var settings = try folder.settings(report: report)
        var problems = try settings?.support.add(supports) ?? []
        let builder = UnitBuilder(root: root, settings: settings ?? .fallback)
        let built = try UnitBuilder.buildAll(folder.units, with: builder, progress: progress) {
            $0.withoutBytes
        }
        problems += report.problems + folder.problems + built.flatMap(\.problems)
        if !problems.contains(where: { $0.rule.severity == .error }) {
            let units = indexed(folder.units, built)
            let manifest = try manifest(units, settings)
            let check = AppCheck(builder)
            problems += DeviceCheck.problems(ofManifest: manifest)
            problems += try check.problems(ofManifest: manifest.count)
            problems += try check.unseen(
                in: units, announcements: folder.announcementCount)
        }
        return problems.sorted()
    }

    /// Returns the manifest that a publish would write, with a time and a number as long as real
    /// ones.
    private static func manifest(
        _ units: RecordTable<IndexedUnit>, _ settings: FolderSettings?
    ) throws -> [UInt8] {
        try ManifestAssembly.bytes(
            units: units, release: 1_000_000, generatedAt: moment,
            baseURL: settings?.contentBaseURL)
    }

    private static func indexed(
        _ units: [ContentUnit], _ built: [BuiltUnit]
    ) -> RecordTable<IndexedUnit> {
        RecordTable(
            zip(units, built).map { unit, built in
                IndexedUnit(
                    step: unit.step, name: unit.name, fragment: built.fragment, updatedAt: moment,
                    files: [])
            })
    }

    private static let moment = "2000-01-01T00:00:00Z"
}

extension BuiltUnit {
    /// The unit without the bytes of its files, so that checking a library needs little memory.
    fileprivate var withoutBytes: BuiltUnit {
        var unit = self
        for position in unit.files.indices { unit.files[position].bytes = .made([]) }
        return unit
    }
}

extension FolderSettings {
    /// The settings that are used while the real ones have errors, so that everything else is still
    /// checked.
    static let fallback = FolderSettings(
        name: "", contentBaseURL: nil, keptReleases: keptReleasesDefault,
        announcementLanguages: [])
}

/// A callback for the progress of a long operation; called from several threads.
public typealias PublishProgress = @Sendable (_ done: Int, _ total: Int) -> Void

extension UnitBuilder {
    /// Builds many units on all cores; the results are in the order of the units.
    static func buildAll(
        _ units: [ContentUnit], with builder: UnitBuilder, progress: PublishProgress? = nil,
        finish: @Sendable (BuiltUnit) throws -> BuiltUnit = { $0 }
    ) throws -> [BuiltUnit] {
        let done = Atomic(0)
        return try units.concurrentMap { unit in
            defer { progress?(done.add(1, ordering: .relaxed).newValue, units.count) }
            return try finish(try builder.build(unit))
        }
    }
}
