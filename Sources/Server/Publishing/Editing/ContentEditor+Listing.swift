package import ContentModel

/// A file in a scanned content folder.
package struct ContentFile: Sendable, Hashable {
    /// The path, relative to the content folder.
    package let path: String
    /// The number of bytes.
    package let size: Int
}

extension ContentEditor {
    /// Returns the files of a step; costs a scan of the folder.
    ///
    /// - Throws: `PublishingError` if the folder is unreadable.
    package func files(of step: PublishStep) throws -> [ContentFile] {
        try ContentFolder(root: folder).units.filter { $0.step == step }.flatMap(\.sources)
            .map { ContentFile(path: $0.path, size: $0.stamp.size) }
    }

    /// Reads a file of a scan.
    ///
    /// - Throws: `PublishingError` `unreadable`, also above `limit` bytes.
    package func bytes(
        of file: ContentFile, limit: Int = ContentLimits.documentBytesMax
    ) throws -> [UInt8] {
        try Files.read(folder + "/" + file.path, limit: limit)
    }

    /// Checks the current files of a step.
    ///
    /// - Returns: Errors and warnings, sorted.
    /// - Throws: `PublishingError` if the folder is unreadable.
    package func problems(of step: PublishStep) throws -> [Problem] {
        let content = try ContentFolder(root: folder)
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        let settings = try content.settings(report: report)
        let builder = UnitBuilder(root: folder, settings: settings ?? .fallback)
        return try content.units.filter { $0.step == step }
            .flatMap { try builder.build($0).problems }.sorted()
    }

    /// The required languages of each announcement, by the folder's settings.
    package var announcementLanguages: [String] {
        // Settings with errors are named by the check; nothing is demanded by them.
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .released)
        guard let content = try? ContentFolder(root: folder),
            let settings = try? content.settings(report: report)
        else { return [] }
        return settings.announcementLanguages
    }

    /// Returns the exams with files in the folder as `region/exam`, sorted.
    ///
    /// - Throws: `PublishingError` if the folder is unreadable.
    package func exams() throws -> [String] {
        try ContentFolder(root: folder).units.filter { $0.step == .exams }.map(\.name).sorted()
    }
}
