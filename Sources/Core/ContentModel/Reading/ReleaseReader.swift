/// A device's judgement of a release: documents accepted, documents refused, and parts left out.
///
/// The store applies it to downloads, the publisher to what it is about to release. It reads as a
/// version of the app reads that may be older than the release: an unreadable part is left out, a
/// document with an unreadable head is refused.
package enum ReleaseReader {
    /// Reads a manifest; unreadable entries are left out, and named or counted.
    ///
    /// - Parameters:
    ///   - bytes: The manifest.
    ///   - isShown: True for a document that the device shows: its entry is always named.
    /// - Returns: The readable and the unreadable entries.
    /// - Throws: `ManifestError` when its head or all of its entries are unreadable.
    package static func manifest(
        _ bytes: [UInt8],
        isShown: @escaping (EagerDocument.Kind, String) -> Bool = { _, _ in false }
    ) throws(ManifestError) -> ReleasedManifest {
        let read = try Manifest.read(bytes, strictness: .device, isShown: isShown)
        guard !read.manifest.isEmpty || read.unread.isEmpty else {
            throw .invalid(
                ContentError(
                    problems: read.unread.map(\.problem), unlistedCount: read.unlistedCount))
        }
        return read
    }

    /// Judges a document that a manifest names.
    ///
    /// - Throws: `ContentError` when the document must be refused, with every reason.
    package static func document(
        _ document: EagerDocument, _ bytes: [UInt8]
    ) throws(ContentError) -> ReleasedDocument {
        try checkLength(of: document, bytes.count)
        switch document.kind {
        case .blueprint, .exam:
            let read = try blueprint(bytes)
            guard read.value.id == document.key else {
                throw ContentError(
                    .invalidValue, in: "blueprint.json",
                    "it is the blueprint of \"\(read.value.id)\"")
            }
            return ReleasedDocument(blueprint: read.value, leftOut: read.leftOut)
        case .localization:
            return ReleasedDocument(leftOut: try localization(bytes).leftOut)
        case .announcements:
            return ReleasedDocument(leftOut: try announcements(bytes).leftOut)
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
        let (value, leftOut) = try read(bytes, file: "blueprint.json") { node, report in
            Blueprint.read(node, report: report)
        }
        guard !value.questions.isEmpty || value.leftOutCount == 0 else {
            throw ContentError(problems: leftOut)
        }
        return (value, leftOut)
    }

    /// Reads the texts of a language without those that are not text.
    ///
    /// - Throws: `ContentError` when it is not an object, or all of its texts are unreadable.
    package static func localization(
        _ bytes: [UInt8]
    ) throws(ContentError) -> (value: Localization, leftOut: [Problem]) {
        let (value, leftOut) = try read(bytes, file: "localization.json") { node, report in
            Localization.read(node, report: report)
        }
        guard !value.strings.isEmpty || leftOut.isEmpty else {
            throw ContentError(problems: leftOut)
        }
        return (value, leftOut)
    }

    /// Reads announcements without those that this version does not know; possibly none remains.
    ///
    /// - Throws: `ContentError` when there is no list of them.
    package static func announcements(
        _ bytes: [UInt8]
    ) throws(ContentError) -> (value: [Announcement], leftOut: [Problem]) {
        try read(bytes, file: "announcements.json") { node, report in
            ObjectReader(node, fields: ["announcements"], report: report)?
                .requiredArray("announcements")?.compactMap { node in
                    report.part { Announcement.read(node, report: $0) }
                }
        }
    }

    /// Returns whether a manifest may name that address for its files: a web address, and never a
    /// less secure one than its own.
    package static func isUsable(contentBaseURL named: String, from own: String) -> Bool {
        named.hasPrefix("https://") || (named.hasPrefix("http://") && !own.hasPrefix("https://"))
    }

    private static func checkLength(
        of document: EagerDocument, _ count: Int
    ) throws(ContentError) {
        let limit =
            document.kind == .asset ? ContentLimits.fileBytesMax : ContentLimits.documentBytesMax
        guard count > limit else { return }
        throw ContentError(
            .limitExceeded, in: "\(document.kind) \(document.key)",
            "it has \(count) bytes, at most \(limit) are read")
    }

    private static func read<Value>(
        _ bytes: [UInt8], file: String, _ body: (DocumentNode, DecodingReport) -> Value?
    ) throws(ContentError) -> (value: Value, leftOut: [Problem]) {
        let report = DecodingReport(file: file, strictness: .device)
        let node: DocumentNode
        do throws(DocumentSyntaxError) {
            node = try JSONParser.parse(bytes)
        } catch {
            report.note(error)
            throw ContentError(problems: report.problems)
        }
        return (try report.result(body(node, report)), report.leftOut)
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
    /// The parts that are left out, such as questions of an unknown type or optional fields of a
    /// wrong one: one problem each.
    package var leftOut: [Problem] = []
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
