import ContentModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A scanned content folder: its units, and every problem of its layout.
package struct ContentFolder: Sendable {
    /// The path, without a slash at its end.
    let root: String
    var units: [ContentUnit] = []
    var problems: [Problem] = []
    /// The names in each folder, a cache for the next scan.
    var listings: [String: FolderListing] = [:]

    /// Scans a folder.
    ///
    /// - Parameters:
    ///   - root: The content folder, without a slash at its end.
    ///   - known: The listings of an earlier scan; a folder whose stamp did not change is not
    ///     listed again.
    /// - Throws: `PublishingError` `noSuchContent` when the folder has no `underway.yaml`.
    init(root: String, known: [String: FolderListing] = [:]) throws {
        self.root = root
        try Self.expectSettings(in: root)
        var scan = FolderScan(root: try OpenFolder(root), path: root, known: known)
        try scan.run()
        units = scan.units
        problems = scan.problems
        listings = scan.listings.merged(into: known)
    }

    /// Checks that a folder is a content folder.
    ///
    /// - Throws: `PublishingError` `noSuchContent` when it has no `underway.yaml`, `unreadable`
    ///   when that cannot be determined.
    package static func expectSettings(in root: String) throws {
        let settings = root + "/" + FolderSettings.fileName
        let found = Files.look(settings)
        if found == nil, errno != ENOENT, errno != ENOTDIR { throw Files.unreadable(settings) }
        guard found?.kind == .file else {
            throw PublishingError(
                .noSuchContent,
                "\(root) is not a content folder: it has no \(FolderSettings.fileName)."
                    + " `underway init` makes one.")
        }
    }

    /// Reads `underway.yaml`.
    func settings(report: DecodingReport) throws -> FolderSettings? {
        let bytes = try Files.read(
            root + "/" + FolderSettings.fileName, limit: ContentLimits.documentBytesMax)
        return SourceDocument.parse(bytes, report: report).flatMap {
            FolderSettings.read($0, report: report)
        }
    }
}

/// The names in a folder in one of its states.
struct FolderListing: Hashable, Sendable {
    var stamp: FileStamp
    var names: [String]
}
