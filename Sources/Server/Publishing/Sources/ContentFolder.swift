import ContentModel

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A scanned content folder: which units there are, and everything about its layout that is
/// wrong.
package struct ContentFolder: Sendable {
    /// Without a slash at its end.
    let root: String
    var units: [ContentUnit] = []
    var problems: [Problem] = []
    /// The names in each folder, to be kept for the next scan.
    var listings: [String: FolderListing] = [:]

    /// Scans a folder.
    ///
    /// - Parameters:
    ///   - root: The content folder, without a slash at its end.
    ///   - known: Listings of an earlier scan; a folder whose stamp did not change is not listed
    ///     again.
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

    /// Tells a content folder from any other.
    ///
    /// - Throws: `PublishingError` `noSuchContent` when it has no `underway.yaml`, `unreadable` when
    ///   that cannot be found out.
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

/// The names in a folder at some state of it.
struct FolderListing: Hashable, Sendable {
    var stamp: FileStamp
    var names: [String]
}
