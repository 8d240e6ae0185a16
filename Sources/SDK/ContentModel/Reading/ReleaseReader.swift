/// A device's reading of a release: accepted documents, refused documents, and omitted parts.
///
/// The store applies it to downloads, the publisher to a release before its publication. It reads as a version of the
/// app does that may be older than the release: an unreadable part is omitted, a document with an unreadable head is
/// refused.
package enum ReleaseReader {
    /// Parses a manifest; unreadable entries are omitted, and named or counted.
    ///
    /// - Parameters:
    ///   - bytes: The manifest.
    ///   - profile: The reader of an older version of the app; `nil` for that of this version.
    ///   - isShown: True for a document that the device shows: its entry is always named.
    /// - Returns: The readable and the unreadable entries.
    /// - Throws: `ManifestError` when its head or all of its entries are unreadable.
    package static func manifest(
        _ bytes: [UInt8], profile: DecoderProfile? = nil,
        isShown: @escaping (EagerDocument.Kind, String) -> Bool = { _, _ in false }
    ) throws(ManifestError) -> ReleasedManifest {
        let read = try Manifest.read(
            bytes, strictness: .device, profile: profile, isShown: isShown)
        guard !read.manifest.isEmpty || read.unread.isEmpty else {
            throw .invalid(
                ContentError(
                    problems: read.unread.map(\.problem), unlistedCount: read.unlistedCount))
        }
        return read
    }

    /// Reads the entries of a manifest as an older version of the app does, also where it can read none.
    ///
    /// - Throws: `ManifestError` when its head is unreadable.
    package static func entries(
        _ bytes: [UInt8], profile: DecoderProfile
    ) throws(ManifestError) -> ReleasedManifest {
        try Manifest.read(bytes, strictness: .device, profile: profile)
    }

    /// Reads a document that a manifest names.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - bytes: Its bytes.
    ///   - profile: The reader of an older version of the app; `nil` for that of this version.
    /// - Returns: The readable and the unreadable parts.
    /// - Throws: `ContentError` when the document must be refused, with every reason.
    package static func document(
        _ document: EagerDocument, _ bytes: [UInt8], profile: DecoderProfile? = nil
    ) throws(ContentError) -> ReleasedDocument {
        try checkLength(of: document, bytes.count, profile)
        switch document.kind {
        case .blueprint, .exam:
            let read = try blueprint(bytes, profile)
            guard read.value.id == document.key else {
                throw ContentError(
                    .invalidValue, in: "blueprint.json",
                    "it is the blueprint of \"\(read.value.id)\"")
            }
            return ReleasedDocument(
                blueprint: read.value, leftOut: read.leftOut, ignored: read.ignored)
        case .localization:
            let read = try localization(bytes, profile)
            return ReleasedDocument(leftOut: read.leftOut, ignored: read.ignored)
        case .announcements:
            let read = try announcements(bytes, profile)
            return ReleasedDocument(leftOut: read.leftOut, ignored: read.ignored)
        case .asset:
            return ReleasedDocument()
        }
    }

    /// Reads a blueprint without the questions that this version cannot ask.
    ///
    /// - Throws: `ContentError` when its head or all of its questions are unreadable.
    package static func blueprint(
        _ bytes: [UInt8]
    ) throws(ContentError) -> (value: Blueprint, leftOut: [Problem]) {
        let read = try blueprint(bytes, nil)
        return (read.value, read.leftOut)
    }

    private static func blueprint(
        _ bytes: [UInt8], _ profile: DecoderProfile?
    ) throws(ContentError) -> ReadDocument<Blueprint> {
        let read = try read(bytes, file: "blueprint.json", profile) { node, report in
            Blueprint.read(node, report: report)
        }
        guard !read.value.questions.isEmpty || read.value.leftOutCount == 0 else {
            throw ContentError(problems: read.leftOut)
        }
        return read
    }

    /// Reads the texts of a language without those that are not text.
    ///
    /// - Throws: `ContentError` when it is not an object, or all of its texts are unreadable.
    package static func localization(
        _ bytes: [UInt8]
    ) throws(ContentError) -> (value: Localization, leftOut: [Problem]) {
        let read = try localization(bytes, nil)
        return (read.value, read.leftOut)
    }

    private static func localization(
        _ bytes: [UInt8], _ profile: DecoderProfile?
    ) throws(ContentError) -> ReadDocument<Localization> {
        let read = try read(bytes, file: "localization.json", profile) { node, report in
            Localization.read(node, report: report)
        }
        guard !read.value.strings.isEmpty || read.leftOut.isEmpty else {
            throw ContentError(problems: read.leftOut)
        }
        return read
    }

    /// Reads announcements without those that this version does not know; possibly none remains.
    ///
    /// - Throws: `ContentError` when there is no list of them.
    package static func announcements(
        _ bytes: [UInt8]
    ) throws(ContentError) -> (value: [Announcement], leftOut: [Problem]) {
        let read = try announcements(bytes, nil)
        return (read.value, read.leftOut)
    }

    private static func announcements(
        _ bytes: [UInt8], _ profile: DecoderProfile?
    ) throws(ContentError) -> ReadDocument<[Announcement]> {
        try read(bytes, file: "announcements.json", profile) { node, report in
            ObjectReader(node, as: .announcementList, report: report)?
                .requiredArray("announcements")?.compactMap { node in
                    if profile?.isOutsideAudience(of: node) == true { return nil }
                    return report.part { Announcement.read(node, report: $0) }
                }
        }
    }

    /// Returns true if a manifest may name that address for its files: a web address that is at least as secure as its
    /// own.
    package static func isUsable(contentBaseURL named: String, from own: String) -> Bool {
        named.hasPrefix("https://") || (named.hasPrefix("http://") && !own.hasPrefix("https://"))
    }

    private static func checkLength(
        of document: EagerDocument, _ count: Int, _ profile: DecoderProfile?
    ) throws(ContentError) {
        let kind = document.kind == .asset ? ReaderLimit.fileBytes : .documentBytes
        let limit = profile?.limit(kind) ?? kind.value
        guard count > limit else { return }
        throw ContentError(
            .limitExceeded, in: "\(document.kind) \(document.key)",
            "it has \(count) bytes, at most \(limit) are read")
    }

    private static func read<Value>(
        _ bytes: [UInt8], file: String, _ profile: DecoderProfile?,
        _ body: (DocumentNode, DecodingReport) -> Value?
    ) throws(ContentError) -> ReadDocument<Value> {
        let report = DecodingReport(file: file, strictness: .device, profile: profile)
        let node: DocumentNode
        do throws(DocumentSyntaxError) {
            node = try JSONParser.parse(bytes)
        } catch {
            report.note(error)
            throw ContentError(problems: report.problems)
        }
        let value = try report.result(body(node, report))
        return ReadDocument(value: value, leftOut: report.leftOut, ignored: report.ignored)
    }
}

/// A document as a reader understands it.
private struct ReadDocument<Value> {
    var value: Value
    var leftOut: [Problem]
    var ignored: [IgnoredField]
}

extension DecoderProfile {
    /// Returns true for an announcement that is only for other versions of the app, so that its errors do not matter.
    fileprivate func isOutsideAudience(of node: DocumentNode) -> Bool {
        func version(_ field: String) -> AppVersion? {
            guard knows(field, of: .announcement),
                case .string(let text)? = node.member(field)?.value.content
            else { return nil }
            return AppVersion(text)
        }
        let own = AppVersion(appVersion)
        return version("minimumAppVersion").map { own < $0 } ?? false
            || version("maximumAppVersion").map { $0 < own } ?? false
    }
}

/// A manifest as a device reads it.
package struct ReleasedManifest: Sendable {
    /// The readable entries.
    package var manifest: Manifest
    /// The first `ContentLimits.unreadEntriesListed` of the unreadable entries, and all that the
    /// device shows.
    package var unread: [UnreadEntry]
    /// The number of further unreadable entries.
    package var unlistedCount = 0
    /// The fields and values that an older version of the app ignores; empty for this version.
    package var ignored: [IgnoredField] = []
}

/// An unreadable entry of a manifest.
package struct UnreadEntry: Sendable, Hashable {
    /// The kind of its document; `nil` for a file that is fetched on demand.
    package var kind: EagerDocument.Kind?
    /// Its name in the manifest.
    package var key: String
    /// The reason.
    package var problem: Problem
}

/// A document that a device accepts.
package struct ReleasedDocument: Sendable {
    /// The content of a blueprint or an exam.
    package var blueprint: Blueprint?
    /// The omitted parts, such as questions of an unknown type or optional fields of a wrong one: one problem each.
    package var leftOut: [Problem] = []
    /// The fields that an older version of the app ignores; empty for this version.
    package var ignored: [IgnoredField] = []
}

extension Manifest {
    package var isEmpty: Bool {
        languages.isEmpty && exams.isEmpty && assets.isEmpty && announcements == nil
    }
}

extension ContentError {
    fileprivate init(_ rule: Rule, in file: String, _ message: String) {
        self.init(problems: [Problem(rule, file: file, message: message)])
    }
}
