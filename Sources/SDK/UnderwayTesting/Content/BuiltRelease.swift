package import ContentModel
public import Foundation
public import OfflineStorage

/// The files of a release in memory.
package struct BuiltRelease: Sendable {
    /// The index of the release.
    package var manifest: Manifest
    /// The bytes of every file but the manifest, by checksum.
    package var objects: [Checksum: [UInt8]] = [:]

    /// The files by their path on a host.
    package var files: [String: [UInt8]] {
        var files = [ReleasePath.manifest.text: manifest.canonicalBytes]
        for entry in manifest.entries { files[entry.path.text] = objects[entry.checksum] }
        for (checksum, bytes) in objects { files[ReleasePath.object(checksum).text] = bytes }
        return files
    }

    /// Adds a file.
    fileprivate mutating func add(_ bytes: [UInt8], version: String? = nil) -> ContentReference {
        let checksum = Checksum(of: bytes)
        objects[checksum] = bytes
        return ContentReference(version: version, checksum: checksum, size: bytes.count)
    }

    /// Adds the files of a list, by name.
    fileprivate mutating func add(_ files: [String: [UInt8]]) -> FileList {
        FileList(
            files: files.sorted { $0.key < $1.key }.map { name, bytes in
                let reference = add(bytes)
                return FileReference(
                    name: name, checksum: reference.checksum, size: reference.size)
            })
    }
}

extension ReleaseContent {
    /// Builds the files of a release, and reads each as a device does.
    ///
    /// - Parameter number: The number of the release.
    /// - Returns: The files.
    /// - Throws: `ContentError` with everything that a device would refuse or omit.
    package func built(release number: Int) throws -> BuiltRelease {
        var release = BuiltRelease(manifest: Manifest(release: number))
        // In the past of every clock, and later for each release.
        let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(number))
        release.manifest.generatedAt = date.formatted(.iso8601)
        for blueprint in blueprints {
            let file = release.add(blueprint.canonicalBytes, version: blueprint.version)
            switch blueprint.kind {
            case .placement:
                release.manifest.languages[blueprint.id, default: LanguageEntry()].blueprint = file
            case .exam:
                release.manifest.exams[blueprint.id, default: ExamEntry()].blueprint = file
            }
        }
        for (language, localization) in localizations {
            release.manifest.languages[language, default: LanguageEntry()].localization =
                release.add(localization.json.canonicalBytes)
        }
        for (language, clips) in audio {
            release.manifest.languages[language, default: LanguageEntry()].audio = release.add(
                clips)
        }
        for (exam, images) in media {
            release.manifest.exams[exam, default: ExamEntry()].media = release.add(images)
        }
        for (path, asset) in assets {
            let file = release.add(asset.bytes)
            release.manifest.assets[path] = AssetEntry(
                checksum: file.checksum, size: file.size, fetchClass: asset.fetchClass)
        }
        if !announcements.isEmpty {
            let json: JSONValue = ["announcements": .array(announcements.map(\.json))]
            release.manifest.announcements = release.add(json.canonicalBytes)
        }
        try check(release)
        return release
    }

    /// Reads a release as a device does.
    private func check(_ release: BuiltRelease) throws {
        let read = try VerifiedManifest(verifying: release.manifest.canonicalBytes).released
        var problems = read.unread.map(\.problem)
        for document in read.manifest.eagerDocuments {
            guard let bytes = release.objects[document.checksum] else { continue }
            do {
                problems += try ReleaseReader.document(document, bytes).leftOut
            } catch {
                problems += error.problems
            }
        }
        guard problems.isEmpty else { throw ContentError(problems: problems) }
    }

    /// Writes the bundle that an app would ship: the manifest, and every file that is not fetched on demand.
    ///
    /// ```swift
    /// let bundle = try ReleaseContent.sample.writeBundle(to: folder)
    /// try store.installBundle(bundle, now: Date())
    /// ```
    /// - Parameters:
    ///   - folder: A folder for the bundle alone; created if needed.
    ///   - number: The number of the release.
    /// - Returns: The bundle.
    /// - Throws: `ContentError` for content that a device would refuse, or an error of the file system.
    public func writeBundle(to folder: URL, release number: Int = 1) throws -> ContentBundle {
        let release = try built(release: number)
        try write(release.manifest.canonicalBytes, to: folder, ReleasePath.manifest)
        for document in release.manifest.eagerDocuments {
            try write(
                release.objects[document.checksum] ?? [], to: folder,
                .object(document.checksum))
        }
        return ContentBundle(folder: folder)
    }

    private func write(_ bytes: [UInt8], to folder: URL, _ path: ReleasePath) throws {
        let file = folder.appending(path: path.text)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }
}
