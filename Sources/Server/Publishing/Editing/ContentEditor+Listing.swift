package import ContentModel

/// A file that a scan of a content folder found.
package struct ContentFile: Sendable, Hashable {
    /// The path, relative to the content folder.
    package let path: String
    /// The number of bytes.
    package let size: Int
}

extension ContentEditor {
    /// Returns the files of a step; costs a scan of the folder.
    ///
    /// - Throws: `PublishingError` when the folder cannot be read.
    package func files(of step: PublishStep) throws -> [ContentFile] {
        try ContentFolder(root: folder).units.filter { $0.step == step }.flatMap(\.sources)
            .map { ContentFile(path: $0.path, size: $0.stamp.size) }
    }

    /// Reads a file that a scan found.
    ///
    /// - Throws: `PublishingError` `unreadable`, also for one of more than `limit` bytes.
    package func bytes(
        of file: ContentFile, limit: Int = ContentLimits.documentBytesMax
    ) throws -> [UInt8] {
        try Files.read(folder + "/" + file.path, limit: limit)
    }

    /// Checks a step as it is in the folder now.
    ///
    /// - Returns: Errors and warnings, sorted.
    /// - Throws: `PublishingError` when the folder cannot be read.
    package func problems(of step: PublishStep) throws -> [Problem] {
        let content = try ContentFolder(root: folder)
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        let settings = try content.settings(report: report)
        let builder = UnitBuilder(root: folder, settings: settings ?? .fallback)
        return try content.units.filter { $0.step == step }
            .flatMap { try builder.build($0).problems }.sorted()
    }

    /// The languages in which each announcement must be written, by the folder's settings.
    package var announcementLanguages: [String] {
        // Settings with errors are named by the check; nothing is demanded by them.
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .released)
        guard let content = try? ContentFolder(root: folder),
            let settings = try? content.settings(report: report)
        else { return [] }
        return settings.announcementLanguages
    }

    /// The exams of the folder as `region/exam`, sorted; of those that have a file.
    ///
    /// - Throws: `PublishingError` when the folder cannot be read.
    package func exams() throws -> [String] {
        try ContentFolder(root: folder).units.filter { $0.step == .exams }.map(\.name).sorted()
    }
}
