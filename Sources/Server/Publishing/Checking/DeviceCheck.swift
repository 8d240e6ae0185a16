import ContentModel

/// A check with the reader of a device: each document that a device would refuse, and each entry
/// that it would leave out, is an error at its source.
///
/// A document is read when it is built, so one that has not changed since the last publish is not
/// read again.
enum DeviceCheck {
    /// Checks the documents of a built unit.
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

    /// Checks a manifest, or the entries that no publish has checked yet: entries do not depend on
    /// each other.
    ///
    /// - Parameters:
    ///   - bytes: A complete manifest.
    ///   - wholeCount: The number of bytes of the whole manifest.
    ///   - refusedOnly: True to ignore single entries that would be left out.
    /// - Returns: Errors, each with its source in the content folder.
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

    /// Returns languages and exams that devices or file systems cannot distinguish.
    ///
    /// Steps that are published separately can leave both, even where the content folder has one.
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

    /// Returns the source to report: that of the announcement, else the largest one, which matters
    /// when the document is too large and is the only one of most units.
    private static func place(
        of unit: ContentUnit, _ kind: EagerDocument.Kind, _ bytes: [UInt8]
    ) -> String {
        if kind == .announcements, let unread = firstUnread(unit, bytes) { return unread }
        return largestSource(of: unit)
    }

    static func largestSource(of unit: ContentUnit) -> String {
        let documents = unit.sources.filter { !$0.path.contains("/media/") }
        return documents.max { $0.stamp.size < $1.stamp.size }?.path ?? unit.key
    }

    /// Returns the source of the first announcement that a device leaves out; each source has one.
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

    static func folder(of entry: UnreadEntry) -> String {
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
        switch error.code {
        case .tooLarge:
            Problem(
                .limitExceeded, file: FolderSettings.fileName,
                message: "the manifest of this content is larger than the"
                    + " \(ContentLimits.manifestBytesMax) bytes that a device reads",
                hint: "Publish fewer files, or two libraries.")
        default:
            Problem(
                .invalidValue, file: FolderSettings.fileName,
                message: "a device refuses the manifest of this content: \(error)",
                hint: "Change what the message names.")
        }
    }
}

extension PublishStep {
    /// The kind of document that a device reads from such a unit; `nil` for other files.
    var documentKind: EagerDocument.Kind? {
        switch self {
        case .blueprints: .blueprint
        case .localizations: .localization
        case .exams: .exam
        case .announcements: .announcements
        case .audio, .assets: nil
        }
    }
}
