import ContentModel

/// Reads what is about to be released with the reader of a device: whatever a device would refuse or
/// leave out is an error, at the source that it comes from.
///
/// A document is read when it is built, so one that did not change since it was published is not read
/// again.
enum DeviceCheck {
    /// Reads the documents that a unit gave.
    static func problems(of built: BuiltUnit, _ unit: ContentUnit) -> [Problem] {
        built.files.flatMap { file -> [Problem] in
            guard let kind = unit.step.documentKind, case .made(let bytes) = file.bytes else {
                return []
            }
            let document = EagerDocument(
                kind: kind, key: unit.name, checksum: file.checksum, size: file.size)
            return reasons(against: document, bytes).map {
                problem($0, in: place(of: unit, kind, bytes), "a device does not take \(file.path)")
            }
        }
    }

    /// Reads a finished manifest, or the part of it that no publish has read yet: the entries of one do
    /// not depend on each other.
    ///
    /// - Parameters:
    ///   - bytes: What is to be read, a manifest by itself.
    ///   - wholeCount: The number of bytes of all of it.
    ///   - refusedOnly: True to let pass that single entries are left out.
    /// - Returns: Errors, each with the part of the content folder that it comes from.
    static func problems(
        ofManifest bytes: [UInt8], wholeCount: Int? = nil, refusedOnly: Bool = false
    ) -> [Problem] {
        do throws(ManifestError) {
            let read = try ReleaseReader.manifest(bytes)
            guard wholeCount ?? 0 <= ContentLimits.manifestBytesMax else { throw .tooLarge }
            if refusedOnly { return [] }
            return read.unread.map {
                problem($0.problem, in: folder(of: $0), "a device leaves this out of the manifest")
            }
        } catch {
            return [refusal(error)]
        }
    }

    /// Finds languages and exams that devices or file systems do not tell apart.
    ///
    /// Steps that are published apart can leave both, even where the content folder has one.
    static func clashes(among units: some Sequence<IndexedUnit>) -> [Problem] {
        var languages: Set<String> = []
        var exams: Set<String> = []
        for unit in units {
            switch unit.step {
            case .blueprints, .localizations, .audio: languages.insert(unit.name)
            case .exams: exams.insert(unit.name)
            case .assets, .announcements: break
            }
        }
        return clashes(languages, in: "languages") + clashes(exams, in: "exams")
    }

    private static func clashes(_ names: Set<String>, in folder: String) -> [Problem] {
        var seen: [String: String] = [:]
        return names.sorted().compactMap { name in
            guard let other = seen.updateValue(name, forKey: NameRules.folded(name)) else {
                return nil
            }
            return Problem(
                .nameClash, file: "\(folder)/\(name)",
                message: "the release would have both \"\(other)\" and \"\(name)\"",
                hint: "Keep one of the two, and publish all steps.")
        }
    }

    private static func reasons(against document: EagerDocument, _ bytes: [UInt8]) -> [Problem] {
        do throws(ContentError) {
            return try ReleaseReader.document(document, bytes).leftOut
        } catch {
            return error.problems
        }
    }

    // MARK: Places

    /// The source to look at: that of the announcement, else the largest, which matters when the
    /// document is too large and is the only one of most units.
    private static func place(
        of unit: ContentUnit, _ kind: EagerDocument.Kind, _ bytes: [UInt8]
    ) -> String {
        if kind == .announcements, let unread = firstUnread(unit, bytes) { return unread }
        let documents = unit.sources.filter { !$0.path.contains("/media/") }
        return documents.max { $0.stamp.size < $1.stamp.size }?.path ?? unit.key
    }

    /// The source of the first announcement that a device leaves out; each source gave one.
    private static func firstUnread(_ unit: ContentUnit, _ bytes: [UInt8]) -> String? {
        guard let node = try? JSONParser.parse(bytes),
            case .array(let nodes)? = node.member("announcements")?.value.content,
            nodes.count == unit.sources.count
        else { return nil }
        return zip(nodes, unit.sources).first { node, _ in
            let report = DecodingReport(file: "", strictness: .device)
            return Announcement.read(node, report: report) == nil
        }?.1.path
    }

    private static func folder(of entry: UnreadEntry) -> String {
        switch entry.kind {
        case .blueprint, .localization: "languages/" + entry.key
        case .exam: "exams/" + entry.key
        case .asset: "assets/" + entry.key
        case .announcements: "announcements"
        case nil: entry.key.contains("/") ? "exams/" + entry.key : "languages/" + entry.key
        }
    }

    private static func problem(
        _ reason: Problem, in file: String, _ what: String
    ) -> Problem {
        Problem(
            reason.rule, file: file, message: "\(what): \(reason.message)", hint: reason.hint)
    }

    // MARK: The whole manifest

    private static func refusal(_ error: ManifestError) -> Problem {
        switch error {
        case .tooLarge:
            Problem(
                .limitExceeded, file: FolderSettings.fileName,
                message: "the manifest of this content is larger than the"
                    + " \(ContentLimits.manifestBytesMax) bytes that a device reads",
                hint: "Publish fewer files, or two libraries.")
        case .invalid, .unsupportedSchema, .wrongChecksum:
            Problem(
                .invalidValue, file: FolderSettings.fileName,
                message: "a device refuses the manifest of this content: \(error)",
                hint: "Change what the message names.")
        }
    }
}

extension PublishStep {
    /// What a device takes the document of such a unit for; `nil` for files that it does not read.
    fileprivate var documentKind: EagerDocument.Kind? {
        switch self {
        case .blueprints: .blueprint
        case .localizations: .localization
        case .exams: .exam
        case .announcements: .announcements
        case .audio, .assets: nil
        }
    }
}
