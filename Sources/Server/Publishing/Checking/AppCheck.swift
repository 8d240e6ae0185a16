import ContentModel

/// A check with the readers of the app's shipped versions: what one of them would refuse, leave out or ignore is a
/// problem at its source.
///
/// It judges released bytes by the code that a device runs (`ReleaseReader`), restricted to the profile of the
/// version. Versions whose reader knows everything cost nothing: `DeviceCheck` has judged for them.
struct AppCheck {
    private let builder: UnitBuilder
    private let support: AppSupport
    private let profiles: [DecoderProfile]

    /// Creates a check of units that a builder builds, by its settings.
    init(_ builder: UnitBuilder) {
        self.builder = builder
        support = builder.settings.support
        profiles = support.restricting
    }

    /// True when no declared version can find anything.
    var isIdle: Bool { profiles.isEmpty }

    /// Checks the documents and the entries of a built unit.
    ///
    /// - Returns: Errors and warnings.
    /// - Throws: `PublishingError` `unreadable` when a source cannot be read again for the place of a problem.
    func problems(of built: BuiltUnit, _ unit: ContentUnit) throws -> [Problem] {
        guard !isIdle else { return [] }
        let documents = built.files.compactMap { file -> (EagerDocument, [UInt8])? in
            guard let kind = unit.step.documentKind, case .made(let bytes) = file.bytes else {
                return nil
            }
            let document = EagerDocument(
                kind: kind, key: unit.name, checksum: file.checksum, size: file.size)
            return (document, bytes)
        }
        return try problems(of: documents, fragment: built.fragment, unit)
    }

    /// Checks a unit as it was released, when the declared versions changed and its sources did not.
    ///
    /// - Parameters:
    ///   - released: The unit.
    ///   - unit: Its sources; none where they are gone.
    ///   - directory: The release directory, which has the objects.
    /// - Returns: Errors and warnings.
    /// - Throws: `PublishingError` when an object or a source cannot be read.
    func problems(
        of released: IndexedUnit, _ unit: ContentUnit, in directory: ReleaseDirectory
    ) throws -> [Problem] {
        guard !isIdle else { return [] }
        let path = unit.step.documentKind.flatMap {
            ReleasePath($0.entryKind, key: unit.name)?.text
        }
        let documents = try released.files.compactMap { file -> (EagerDocument, [UInt8])? in
            guard let kind = unit.step.documentKind, file.path == path else { return nil }
            let document = EagerDocument(
                kind: kind, key: unit.name, checksum: file.checksum, size: file.size)
            return (document, try directory.object(file.checksum))
        }
        return try problems(of: documents, fragment: released.fragment, unit)
    }

    /// Checks what a manifest has apart from its entries.
    ///
    /// - Parameters:
    ///   - wholeCount: The number of bytes of the whole manifest.
    ///   - rollout: Which devices take the release; a version that does not know rollouts takes it whatever they say.
    /// - Returns: Errors and warnings.
    /// - Throws: `PublishingError`, never for settings that were read.
    func problems(ofManifest wholeCount: Int, rollout: Rollout? = nil) throws -> [Problem] {
        var findings: [AppFinding] = []
        for profile in profiles {
            let head = try manifest([], rollout: rollout)
            do throws(ManifestError) {
                guard wholeCount <= profile.limit(.manifestBytes) else { throw .tooLarge }
                let read = try ReleaseReader.manifest(head, profile: profile)
                for field in read.ignored
                where Self.headShapes.contains(field.shape)
                    && field.shape.severity(of: field.field) != .unseen
                {
                    findings.append(
                        AppFinding(
                            .ignored(field, count: 1), profile, file: FolderSettings.fileName))
                }
            } catch {
                findings.append(
                    AppFinding(
                        .refused("every release"), profile, file: FolderSettings.fileName,
                        reason: "\(error)"))
            }
        }
        return AppFinding.problems(findings, support.policy)
    }

    /// Names the parts of a release that a version sees nothing of, one warning for each version.
    ///
    /// - Parameters:
    ///   - units: All units of the release.
    ///   - announcements: The number of announcements; `nil` where it is not known.
    /// - Returns: Warnings; versions that know all parts cost nothing.
    /// - Throws: `PublishingError`, never for units that were read.
    func unseen(
        in units: @autoclosure () -> RecordTable<IndexedUnit>, announcements: Int?
    ) throws -> [Problem] {
        let blind = profiles.filter(\.isBlind)
        guard !blind.isEmpty else { return [] }
        let bytes = try ManifestAssembly.bytes(
            units: units(), release: 1, generatedAt: Self.moment, baseURL: nil)
        guard let whole = try? ReleaseReader.manifest(bytes).manifest else { return [] }
        let findings = blind.compactMap { profile -> AppFinding? in
            // `problems(ofManifest:)` says where the head is refused.
            guard let read = try? ReleaseReader.entries(bytes, profile: profile) else { return nil }
            let parts = read.ignored.grouped.compactMap { field, count in
                field.unseenParts(of: whole, announcements: announcements, count: count)
            }
            guard !parts.isEmpty else { return nil }
            return AppFinding(
                .unseen(parts.joined(separator: ", ")), profile, file: FolderSettings.fileName)
        }
        return AppFinding.problems(findings, support.policy)
    }

    private func problems(
        of documents: [(EagerDocument, [UInt8])], fragment: [UInt8], _ unit: ContentUnit
    ) throws -> [Problem] {
        var findings: [AppFinding] = []
        for (document, bytes) in documents {
            findings += try self.findings(in: document, bytes, unit)
        }
        findings += try self.findings(inEntriesOf: fragment, unit)
        return AppFinding.problems(findings, support.policy)
    }

    // MARK: Documents

    private func findings(
        in document: EagerDocument, _ bytes: [UInt8], _ unit: ContentUnit
    ) throws -> [AppFinding] {
        var findings: [AppFinding] = []
        var read: ReleasedPlaces?
        for profile in profiles {
            let judgement = Self.judgement(of: document, bytes, profile)
            guard !judgement.isClean else { continue }
            // Sources are read again only for what was found.
            let places = try read ?? ReleasedPlaces(bytes, unit, builder)
            read = places
            findings += judgement.findings(profile, document, places)
        }
        return findings
    }

    private static func judgement(
        of document: EagerDocument, _ bytes: [UInt8], _ profile: DecoderProfile
    ) -> Judgement {
        do throws(ContentError) {
            let read = try ReleaseReader.document(document, bytes, profile: profile)
            return Judgement(leftOut: read.leftOut, ignored: read.ignored)
        } catch {
            return Judgement(refusals: error.problems)
        }
    }

    /// The judgement of one version's reader about a document.
    private struct Judgement {
        var refusals: [Problem] = []
        var leftOut: [Problem] = []
        var ignored: [IgnoredField] = []

        var isClean: Bool { refusals.isEmpty && leftOut.isEmpty && ignored.isEmpty }

        func findings(
            _ profile: DecoderProfile, _ document: EagerDocument, _ places: ReleasedPlaces
        ) -> [AppFinding] {
            let whole = "the whole \(document.kind.rawValue)"
            let title = document.key.isEmpty ? whole : whole + " \"\(document.key)\""
            let refused = refusals.map { reason in
                AppFinding(
                    .refused(title), profile, places.place(of: reason.position),
                    reason: reason.message)
            }
            let parts = leftOut.filter { !places.isRetired(at: $0.position) }.map { reason in
                let place = places.place(of: reason.position)
                return AppFinding(.leftOut(place.title), profile, place, reason: reason.message)
            }
            // One that is not asked misleads nobody.
            let shown = ignored.filter {
                $0.field == "retired" || !profile.knows("retired", of: .question)
                    || !places.isRetired(at: $0.position)
            }
            .map { $0.judged(in: places) }
            let fields = shown.grouped.map { field, count in
                AppFinding(
                    .ignored(field, count: count), profile, places.place(of: field.position))
            }
            return refused + parts + fields
        }
    }

    // MARK: Entries of the manifest

    private func findings(
        inEntriesOf fragment: [UInt8], _ unit: ContentUnit
    ) throws -> [AppFinding] {
        let indexed = IndexedUnit(
            step: unit.step, name: unit.name, fragment: fragment, updatedAt: Self.moment, files: [])
        let bytes = try manifest([indexed])
        var findings: [AppFinding] = []
        for profile in profiles {
            do throws(ManifestError) {
                let read = try ReleaseReader.entries(bytes, profile: profile)
                for entry in read.unread {
                    findings.append(
                        AppFinding(
                            .leftOut(entry.title), profile, file: DeviceCheck.folder(of: entry),
                            reason: entry.problem.message))
                }
                // `unseen(in:announcements:)` names whole parts once.
                let ignored = read.ignored.filter {
                    $0.shape != .manifest && $0.shape.severity(of: $0.field) != .unseen
                }
                for (field, count) in ignored.grouped {
                    findings.append(
                        AppFinding(
                            .ignored(field, count: count), profile,
                            file: Self.source(of: field, in: bytes, unit)))
                }
            } catch {
                // `problems(ofManifest:)` says once that the head is refused.
                continue
            }
        }
        return findings
    }

    /// Returns the asset whose entry has a field, else the folder of the unit.
    private static func source(
        of field: IgnoredField, in manifest: [UInt8], _ unit: ContentUnit
    ) -> String {
        guard unit.step == .assets, let node = try? JSONParser.parse(manifest) else {
            return unit.folder
        }
        let path = node.path(to: field.position)
        guard path.count > 1, case .member(let name) = path[1] else { return unit.folder }
        return unit.folder + "/" + name
    }

    /// The objects of a manifest apart from its entries.
    private static let headShapes: Set<DocumentShape> = [.manifest, .rollout, .rolloutPrevious]
    private static let moment = "2000-01-01T00:00:00Z"

    private func manifest(
        _ units: [IndexedUnit], rollout: Rollout? = nil
    ) throws -> [UInt8] {
        try ManifestAssembly.bytes(
            units: RecordTable(units), release: 1, generatedAt: Self.moment,
            baseURL: builder.settings.contentBaseURL, rollout: rollout)
    }
}

extension IgnoredField {
    /// Returns the field as an ignored value where an app shows nothing but the marks of emphasis, lists or links.
    fileprivate func judged(in places: ReleasedPlaces) -> IgnoredField {
        guard shape == .question, field == "text", let question = places.question(at: position),
            !question.hasUnreadableSource
        else { return self }
        var judged = self
        judged.value = question.textForm.rawValue
        return judged
    }
}

extension DecoderProfile {
    /// True when the reader sees nothing of some part of a release.
    fileprivate var isBlind: Bool {
        [DocumentShape.manifest, .manifestLanguage, .manifestExam].contains { shape in
            shape.fields.contains { shape.severity(of: $0) == .unseen && !knows($0, of: shape) }
        }
    }
}

extension IgnoredField {
    /// Returns the parts of a release that a reader without this field does not see, in words; `nil` for a field of
    /// other parts.
    fileprivate func unseenParts(
        of manifest: Manifest, announcements: Int?, count: Int
    ) -> String? {
        func parts(_ count: Int, _ noun: String) -> String {
            "\(count) \(noun)\(count == 1 ? "" : "s")"
        }
        switch (shape, field) {
        case (.manifest, "languages"): return parts(manifest.languages.count, "language")
        case (.manifest, "exams"): return parts(manifest.exams.count, "exam")
        case (.manifest, "assets"): return parts(manifest.assets.count, "asset")
        case (.manifest, "announcements"):
            return announcements.map { parts($0, "announcement") } ?? "the announcements"
        case (.manifestLanguage, "blueprint"): return parts(count, "placement test")
        case (.manifestLanguage, "localization"): return "the texts of " + parts(count, "language")
        case (.manifestLanguage, "audio"): return "the audio of " + parts(count, "language")
        case (.manifestExam, "blueprint"): return parts(count, "exam")
        case (.manifestExam, "media"): return "the media of " + parts(count, "exam")
        default: return nil
        }
    }
}

extension UnreadEntry {
    fileprivate var title: String {
        "the entry of \(kind?.rawValue ?? "a file")\(key.isEmpty ? "" : " \"\(key)\"")"
    }
}

extension ContentUnit {
    /// The folder of the unit's sources, or of the units like it.
    fileprivate var folder: String {
        switch step {
        case .blueprints, .localizations, .audio: "languages/" + name
        case .exams: "exams/" + name
        case .assets: "assets"
        case .announcements: "announcements"
        }
    }
}
