import ContentModel

/// A builder of units: reads and checks their sources and makes the files of the release.
struct UnitBuilder: Sendable {
    let root: String
    let settings: FolderSettings
    /// The bytes of files with unsaved changes, by path.
    var edited: [String: [UInt8]] = [:]

    /// Builds one unit.
    ///
    /// A unit with errors has problems, and files that must not be used.
    func build(_ unit: ContentUnit) throws -> BuiltUnit {
        var built = try buildUnread(unit)
        if !built.hasErrors { built.problems += DeviceCheck.problems(of: built, unit) }
        if !built.hasErrors { built.problems += try AppCheck(self).problems(of: built, unit) }
        return built
    }

    private func buildUnread(_ unit: ContentUnit) throws -> BuiltUnit {
        switch unit.step {
        case .blueprints: try buildBlueprint(unit)
        case .localizations: try buildLocalization(unit)
        case .audio: try buildAudio(unit)
        case .exams: try buildExam(unit)
        case .assets: try buildAssets(unit)
        case .announcements: try buildAnnouncements(unit)
        }
    }

    func document(_ source: SourceFile) throws -> (DocumentNode?, DecodingReport) {
        let report = DecodingReport(file: source.path, strictness: .authored)
        let size = size(of: source)
        if size > ContentLimits.documentBytesMax {
            report.note(
                .limitExceeded, at: .start,
                "the file has \(size) bytes, at most "
                    + "\(ContentLimits.documentBytesMax) are allowed")
            return (nil, report)
        }
        let bytes = try bytes(of: source)
        return (SourceDocument.parse(bytes, report: report), report)
    }

    private func buildBlueprint(_ unit: ContentUnit) throws -> BuiltUnit {
        let (node, report) = try document(unit.sources[0])
        var blueprint = node.flatMap { Blueprint.read($0, report: report) }
        let corrected = try addCorrections(to: &blueprint, unit)
        if let blueprint, blueprint.id != unit.name || blueprint.kind != .placement {
            report.note(
                .hierarchy, at: node?.member("id")?.value.position ?? .start,
                "the file is in the folder of \"\(unit.name)\" but has the id \"\(blueprint.id)\"",
                hint: "Let `kind: placement` and the id agree with the folder.")
        }
        for question in blueprint?.questions ?? [] {
            guard let problem = question.problemOfPlacement(isHere: { hasAudio($0, unit.name) })
            else { continue }
            report.note(.missingMedia, at: .start, problem)
        }
        let bytes = blueprint?.canonicalBytes ?? []
        let file = made(.blueprint, unit.name, bytes)
        return BuiltUnit(
            fragment: reference(file, version: blueprint?.version), files: [file],
            problems: report.problems + corrected)
    }

    private func hasAudio(_ name: String, _ language: String) -> Bool {
        Files.look("\(root)/languages/\(language)/audio/\(name)")?.kind == .file
    }

    private func buildLocalization(_ unit: ContentUnit) throws -> BuiltUnit {
        let (node, report) = try document(unit.sources[0])
        let localization = node.flatMap { Localization.read($0, report: report) }
        let bytes = localization?.json.canonicalBytes ?? []
        let file = made(.localization, unit.name, bytes)
        return BuiltUnit(
            fragment: reference(file, version: nil), files: [file], problems: report.problems)
    }

    private func buildAudio(_ unit: ContentUnit) throws -> BuiltUnit {
        var problems: [Problem] = []
        let prefix = "languages/\(unit.name)/audio/"
        let files = try unit.sources.compactMap { source in
            try copied(source, problems: &problems) {
                ReleasePath(.audio, key: unit.name, name: String($0.dropFirst(prefix.count)))
            }
        }
        let list = fileList(files, prefix: "audio/\(unit.name)/")
        return BuiltUnit(fragment: list.json.canonicalBytes, files: files, problems: problems)
    }

    private func buildExam(_ unit: ContentUnit) throws -> BuiltUnit {
        let folder = "exams/\(unit.name)/"
        let isMedia: (SourceFile) -> Bool = { $0.path.hasPrefix(folder + "media/") }
        var problems: [Problem] = []
        let blueprint = try readExam(
            unit, documents: unit.sources.filter { !isMedia($0) }, &problems)
        let media = try unit.sources.filter(isMedia).compactMap { source in
            try copied(source, problems: &problems) {
                ReleasePath(
                    .media, key: unit.name,
                    name: String($0.dropFirst(folder.count + "media/".count)))
            }
        }
        let list = fileList(media, prefix: "media/\(unit.name)/")
        checkMedia(blueprint, list, folder: folder, &problems)
        let file = made(.exam, unit.name, blueprint?.canonicalBytes ?? [])
        let entry = ExamEntry(
            blueprint: ContentReference(
                version: blueprint?.version, checksum: file.checksum, size: file.size),
            media: media.isEmpty ? nil : list)
        return BuiltUnit(
            fragment: entry.json.canonicalBytes, files: [file] + media, problems: problems)
    }

    private func readExam(
        _ unit: ContentUnit, documents: [SourceFile], _ problems: inout [Problem]
    ) throws -> Blueprint? {
        guard let head = documents.first(where: { $0.path.hasSuffix("/exam.yaml") }) else {
            return nil
        }
        let (node, report) = try document(head)
        var blueprint = node.flatMap { Blueprint.readExam($0, id: unit.name, report: report) }
        problems += report.problems
        for source in documents where source != head && !CorrectionsFile.isOne(source.path) {
            let (node, report) = try document(source)
            if let node { blueprint?.addQuestions(node, report: report) }
            problems += report.problems
        }
        problems += try addCorrections(to: &blueprint, unit)
        return blueprint
    }

    private func checkMedia(
        _ blueprint: Blueprint?, _ media: FileList, folder: String, _ problems: inout [Problem]
    ) {
        guard let blueprint else { return }
        let present = Set(media.files.map(\.name))
        var used: Set<String> = []
        for question in blueprint.questions {
            for name in question.mediaNames {
                used.insert(name)
                guard !present.contains(name) else { continue }
                problems.append(
                    Problem(
                        .missingMedia, file: folder + "media/" + name,
                        message: "the question \"\(question.id)\" shows a file that is missing"))
            }
        }
        for name in present.subtracting(used).sorted() {
            problems.append(
                Problem(
                    .unusedMedia, file: folder + "media/" + name,
                    message: "no question shows this file"))
        }
    }

    private func buildAnnouncements(_ unit: ContentUnit) throws -> BuiltUnit {
        var problems: [Problem] = []
        var announcements: [(Announcement, SourceFile)] = []
        for source in unit.sources {
            let (node, report) = try document(source)
            let announcement = node.flatMap {
                Announcement.read(
                    $0, languages: settings.announcementLanguages, report: report)
            }
            if let announcement {
                announcements.append((announcement, source))
                checkImage(announcement, node, report)
            }
            problems += report.problems
        }
        problems += Self.conflicts(announcements)
        let json = JSONValue.array(announcements.map(\.0.json))
        let file = made(
            .announcements, unit.name,
            JSONValue.object(["announcements": json]).canonicalBytes)
        return BuiltUnit(
            fragment: reference(file, version: nil), files: [file], problems: problems)
    }

    private func checkImage(
        _ announcement: Announcement, _ node: DocumentNode?, _ report: DecodingReport
    ) {
        guard let image = announcement.image,
            Files.look(root + "/assets/" + image)?.kind != .file
        else { return }
        report.note(
            .missingMedia, at: node?.member("image")?.value.position ?? .start,
            "there is no asset \"\(image)\"", hint: "Add assets/\(image).")
    }

    private static func conflicts(_ announcements: [(Announcement, SourceFile)]) -> [Problem] {
        var problems: [Problem] = []
        for (index, (later, source)) in announcements.enumerated() {
            for (earlier, other) in announcements[..<index] {
                if earlier.identifier == later.identifier {
                    problems.append(
                        Problem(
                            .duplicateIdentifier, file: source.path,
                            message: "the identifier \(later.identifier) is that of \(other.path)"))
                } else if later.competes(with: earlier) {
                    problems.append(
                        Problem(
                            .announcementOverlap, file: source.path,
                            message: "some users would see it together with \(other.path)"))
                }
            }
        }
        return problems
    }
}

extension UnitBuilder {
    func size(of source: SourceFile) -> Int {
        edited[source.path]?.count ?? source.stamp.size
    }

    private func bytes(of source: SourceFile) throws -> [UInt8] {
        try edited[source.path] ?? Files.read(root + "/" + source.path)
    }

    /// Returns a generated document of a unit, whose name the scan found valid.
    func made(_ kind: ManifestEntry.Kind, _ key: String, _ bytes: [UInt8]) -> BuiltFile {
        guard let path = ReleasePath(kind, key: key) else {
            preconditionFailure("The \(kind) \(key) has a name that the scan refuses.")
        }
        return BuiltFile(
            path: path.text, checksum: Checksum(of: bytes), size: bytes.count, bytes: .made(bytes))
    }

    /// Returns a file that is published unchanged.
    func copied(
        _ source: SourceFile, problems: inout [Problem], path: (String) -> ReleasePath?
    ) throws -> BuiltFile? {
        let size = size(of: source)
        guard size <= ContentLimits.fileBytesMax else {
            problems.append(
                Problem(
                    .limitExceeded, file: source.path,
                    message: "the file has \(size) bytes, at most "
                        + "\(ContentLimits.fileBytesMax) are allowed"))
            return nil
        }
        guard let readable = path(source.path)?.text, ContentPath(readable) != nil else {
            problems.append(
                Problem(
                    .limitExceeded, file: source.path,
                    message: "its path in a release has more than the \(ContentPath.bytesMax) bytes"
                        + " that are allowed",
                    hint: "Use shorter names, or fewer folders in each other."))
            return nil
        }
        let bytes = try bytes(of: source)
        return BuiltFile(
            path: readable, checksum: Checksum(of: bytes), size: bytes.count,
            bytes: .source(source.path))
    }

    private func reference(_ file: BuiltFile, version: String?) -> [UInt8] {
        let version = version.flatMap { $0.isEmpty ? nil : $0 }
        return ContentReference(version: version, checksum: file.checksum, size: file.size)
            .json.canonicalBytes
    }

    private func fileList(_ files: [BuiltFile], prefix: String) -> FileList {
        FileList(
            files: files.map {
                FileReference(
                    name: String($0.path.dropFirst(prefix.count)), checksum: $0.checksum,
                    size: $0.size)
            })
    }
}
