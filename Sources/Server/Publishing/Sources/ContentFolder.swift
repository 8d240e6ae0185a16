import ContentModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A scanned content folder: its units, and the problems of its layout.
package struct ContentFolder: Sendable {
    /// The path, without a slash at its end.
    let root: String
    /// The units that were looked at closely: all, unless an earlier scan is known.
    private(set) var units: [ContentUnit] = []
    /// The positions of the units in the known index that are as they were then.
    private(set) var unchanged: [Range<Int>] = []
    private(set) var problems: [Problem] = []
    /// The names in each folder, for the next scan.
    private(set) var listings: RecordTable<FolderListing>
    /// The index that is known.
    private let known: ReleaseIndex?

    /// Scans a folder.
    ///
    /// - Parameters:
    ///   - root: The content folder, without a slash at its end.
    ///   - known: What an earlier publish saw: a folder whose stamp did not change is not listed
    ///     again, and a language in which nothing changed is not made units of.
    /// - Throws: `PublishingError` `noSuchContent` when the folder has no `underway.yaml`.
    init(root: String, known: ReleaseIndex? = nil) throws {
        self.root = root
        self.known = known
        try Self.checkSettings(in: root)
        var scan = FolderScan(root: try OpenFolder(root), path: root, known: known)
        try scan.run()
        units = scan.units
        unchanged = scan.unchanged
        problems = scan.problems
        listings = scan.listings.merged(into: known?.listings)
    }

    /// The number of all units.
    var unitCount: Int { unchanged.reduce(units.count) { $0 + $1.count } }

    /// Returns a unit by its key.
    func unit(_ key: String) -> ContentUnit? {
        if let unit = units.first(where: { $0.key == key }) { return unit }
        guard let known, let unit = known.units[key],
            let position = known.units.position(of: unit.recordKey),
            unchanged.contains(where: { $0.contains(position) })
        else { return nil }
        return ContentUnit(step: unit.step, name: unit.name, sources: unit.sources)
    }

    /// The number of announcements, of which each has a source.
    var announcementCount: Int? { unit(IndexedUnit.key(.announcements, ""))?.sources.count }

    /// Checks that a folder is a content folder.
    ///
    /// - Throws: `PublishingError` `noSuchContent` if it has no `underway.yaml`, `unreadable` if the folder is
    ///   unreadable.
    package static func checkSettings(in root: String) throws {
        let settings = root + "/" + FolderSettings.fileName
        let found = Files.look(settings)
        if found == nil, errno != ENOENT, errno != ENOTDIR { throw Files.unreadable(settings) }
        guard found?.kind == .file else {
            throw PublishingError(
                .noSuchContent,
                "\(root) is not a content folder: it has no \(FolderSettings.fileName)."
                    + " `underway init \(root.shellWord)` makes one there.")
        }
    }

    /// Reads `underway.yaml`, and the profiles of the app that it names.
    func settings(report: DecodingReport) throws -> FolderSettings? {
        let bytes = try Files.read(
            root + "/" + FolderSettings.fileName, limit: ContentLimits.documentBytesMax)
        var settings = SourceDocument.parse(bytes, report: report).flatMap {
            FolderSettings.read($0, report: report)
        }
        try settings?.support.load(root: root, report: report)
        return settings
    }
}
