import ContentModel
import Synchronization

/// One publish under way.
struct PublishRun {
    let publisher: Publisher
    let directory: ReleaseDirectory
    /// The release that the run begins with.
    var baseline: TrustedBaseline
    var folder: ContentFolder
    var drift: DriftScan
    /// The content of the next release.
    var content: ContentBuild
    /// True to keep the bytes of documents that are built, for a look at them.
    var keepsBuilt = false
    var marks: DirectoryIdentity
    var commit: ReleaseCommit

    init(_ publisher: Publisher, directory: ReleaseDirectory) throws {
        self.directory = directory
        baseline = try .load(directory, for: publisher)
        marks = baseline.marks
        commit = ReleaseCommit(directory)
        var publisher = publisher
        publisher.verifies = publisher.verifies || !baseline.isKnown
        self.publisher = publisher
        content = ContentBuild(baseline)
        (drift, folder) = try Self.scan(
            self.publisher, directory, &content.index, baseline.state)
        if baseline.state.manifestIsForeign {
            drift.edited.append(
                DriftedFile(
                    path: ReleasePath.manifest.text, checksum: content.index.manifestChecksum,
                    unit: nil))
        }
        content.summary.drifted = drift.edited.map(\.path)
    }

    /// Looks at the served files and at the content folder, side by side.
    ///
    /// Both are thousands of calls that wait for the kernel; scanning the folder uses all cores itself.
    private static func scan(
        _ publisher: Publisher, _ directory: ReleaseDirectory, _ index: inout ReleaseIndex,
        _ state: ReleaseState
    ) throws -> (DriftScan, ContentFolder) {
        let known = publisher.verifies ? nil : index
        let before = index
        let ((scan, seen), content) = try alongside({
            var index = before
            var scan = DriftScan(
                directory: directory, readsAll: publisher.verifies, previous: state.previous,
                published: state.published)
            try scan.run(&index)
            return (scan, index)
        }) {
            try ContentFolder(root: publisher.folder, known: known)
        }
        index = seen
        return (scan, content)
    }

    // MARK: Building

    mutating func build(writes: Bool, generatedAt: String) throws {
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        if let read = try folder.settings(report: report) { content.settings = read }
        let undeclared = try content.settings.support.add(publisher.supports)
        let rollout = try baseline.nextRollout(
            publisher.rollout, release: baseline.nextRelease)
        content.settings.support = content.settings.support.taking(rollout)
        let units = folder.units.filter { publisher.steps.contains($0.step) }
        let settingsChecksum = Checksum(
            of: Array(content.settings.announcementLanguages.joined(separator: ",").utf8))
        let settingsChanged = content.index.settingsChecksum != settingsChecksum
        let assetsChanged = assetsChanged
        let changedAudio = changedAudio
        let stale =
            units.filter { unit in
                publisher.verifies || content.index.units[unit.key]?.sources != unit.sources
                    || unit.sources.isEmpty
                    || ((settingsChanged || assetsChanged) && unit.step == .announcements)
                    || (unit.step == .blueprints && changedAudio.contains(unit.name))
            }
            + reopenedUnits
        let dependents = try buildUnits(
            (assetsChanged ? announcementsOfOtherSteps : [])
                + blueprintsOfOtherSteps(changedAudio), writes: false)
        let built = try buildUnits(stale, writes: writes)
        if keepsBuilt { keep(built) }
        let unsupported = try unsupportedUnits(except: stale)
        var problems =
            report.problems + undeclared + folder.problems
            + (dependents + built).flatMap(\.problems) + unsupported.values.joined()
            + (try AppCheck(unitBuilder).problems(
                ofManifest: 0, rollout: rollout))
        try ContentBuild.refuseErrors(problems)
        for (unit, result) in zip(stale, built) {
            replace(unit, with: result, generatedAt: generatedAt)
        }
        removeUnits(except: units)
        problems += try AppCheck(unitBuilder).unseen(
            in: content.index.units, announcements: folder.announcementCount)
        if !content.differs {
            // A new manifest is asked about when it is made.
            try ContentBuild.refuseErrors(
                AppCheck(unitBuilder).problems(
                    ofManifest: content.index.manifestStamp.size, rollout: rollout))
        }
        noteSupport(unsupported)
        problems += knownProblems(except: unsupported)
        let baseURL = publisher.isForDevelopment ? nil : content.settings.contentBaseURL
        content.summary.continuedAfter = baseline.forgottenNumber
        content.differs =
            content.differs || content.index.contentBaseURL != baseURL
            || content.summary.continuedAfter != nil
        content.index.contentBaseURL = baseURL
        content.index.settingsChecksum = settingsChecksum
        content.index.supportChecksum = content.settings.support.checksum
        content.index.listings = folder.listings
        content.summary.unitsBuilt = built.count
        content.summary.unitsTotal = folder.unitCount
        content.summary.warnings = problems.filter { $0.rule.severity == .warning }.sorted()
        content.summary.changed.sort()
        content.summary.blueprints = content.index.units.count(of: [.blueprints, .exams])
        content.summary.isNew = content.differs
    }

    private mutating func keep(_ units: [BuiltUnit]) {
        for file in units.flatMap(\.files) {
            if case .made(let bytes) = file.bytes { content.documents[file.path] = bytes }
        }
    }

    /// True when an asset was added, changed or removed: an announcement may show one as its image.
    private var assetsChanged: Bool {
        let found = folder.units.first { $0.step == .assets }
        return content.index.units[.assets, ""]?.sources ?? [] != found?.sources ?? []
    }

    /// The announcements that a publish of the assets alone must not break.
    private var announcementsOfOtherSteps: [ContentUnit] {
        guard publisher.steps.contains(.assets), !publisher.steps.contains(.announcements) else {
            return []
        }
        return folder.units.filter { $0.step == .announcements }
    }

    /// The languages with audio that was added, changed or removed: a question may play it.
    private var changedAudio: Set<String> {
        let found = Dictionary(
            folder.units.filter { $0.step == .audio }.map { ($0.name, $0.sources) },
            uniquingKeysWith: { first, _ in first })
        return Set(
            folder.units.filter { $0.step == .blueprints }.map(\.name).filter {
                content.index.units[.audio, $0]?.sources ?? [] != found[$0] ?? []
            })
    }

    /// The placement tests that a publish of the audio alone must not break.
    private func blueprintsOfOtherSteps(_ languages: Set<String>) -> [ContentUnit] {
        guard publisher.steps.contains(.audio), !publisher.steps.contains(.blueprints) else {
            return []
        }
        return folder.units.filter { $0.step == .blueprints && languages.contains($0.name) }
    }

    /// The units that the scan found unchanged, and whose files were found to be lost after it.
    private var reopenedUnits: [ContentUnit] {
        let seen = Set(folder.units.map(\.key))
        return content.index.units.changed.values
            .filter {
                $0.sources.isEmpty && publisher.steps.contains($0.step) && !seen.contains($0.key)
            }
            .compactMap { folder.unit($0.key) }
    }

    var unitBuilder: UnitBuilder { UnitBuilder(root: folder.root, settings: content.settings) }

    private mutating func buildUnits(_ units: [ContentUnit], writes: Bool) throws -> [BuiltUnit] {
        let builder = unitBuilder
        let written = Mutex<[Checksum]>([])
        let directory = directory
        let verifies = publisher.verifies
        let built = try UnitBuilder.buildAll(
            units, with: builder, progress: publisher.progress
        ) { unit in
            guard writes, !unit.hasErrors else {
                return unit
            }
            var unit = unit
            for position in unit.files.indices {
                let file = unit.files[position]
                let isNew = try directory.write(
                    try Self.bytes(of: file, root: builder.root), of: file, verify: verifies)
                if isNew { written.withLock { $0.append(file.checksum) } }
                // The bytes are on the disk now and need no memory any more.
                unit.files[position].bytes = .made([])
            }
            return unit
        }
        content.writtenObjects = Set(written.withLock { $0 })
        content.summary.objectsWritten = written.withLock { $0.count }
        return built
    }

    static func bytes(of file: BuiltFile, root: String) throws -> [UInt8] {
        switch file.bytes {
        case .made(let bytes): bytes
        case .source(let path): try Files.read(root + "/" + path)
        }
    }

    private mutating func replace(
        _ unit: ContentUnit, with built: BuiltUnit, generatedAt: String
    ) {
        let old = content.index.units[unit.key]
        // By bytes: a name in another normalisation is another name in the file system.
        let oldFiles = Dictionary(
            (old?.files ?? []).map { (Array($0.path.utf8), $0) }, uniquingKeysWith: { $1 })
        var new = IndexedUnit(
            step: unit.step, name: unit.name, sources: unit.sources, fragment: built.fragment,
            updatedAt: old?.updatedAt, files: [])
        for file in built.files {
            let known = oldFiles[Array(file.path.utf8)]
            let isSame = known?.checksum == file.checksum
            if !isSame { content.summary.changed.append(file.path) }
            if !isSame, let known { noteKeys(of: file, since: known.checksum) }
            new.files.append(
                IndexedFile(
                    path: file.path, checksum: file.checksum, size: file.size,
                    stamp: isSame ? known?.stamp : nil))
        }
        let kept = Set(new.files.map { Array($0.path.utf8) })
        content.summary.removed += oldFiles.filter { !kept.contains($0.key) }.map(\.value.path)
        if old?.fragment != new.fragment {
            content.differs = true
            if unit.step == .exams { new.updatedAt = generatedAt }
        }
        // A warning is said again next time.
        new.problems = built.problems
        content.index.units[unit.key] = new
        content.builtUnits.insert(unit.key)
    }

    /// Notes keys that a changed bank has and the current release has otherwise, without a correction.
    private mutating func noteKeys(of file: BuiltFile, since former: Checksum) {
        // What cannot be read now is no reason to publish nothing.
        guard ReleasePath(file.path)?.bank != nil,
            let before = try? Blueprint(released: directory.object(former)),
            let bytes = try? file.madeBytes ?? directory.object(file.checksum),
            let after = try? Blueprint(released: bytes)
        else { return }
        content.summary.uncorrected += after.uncorrectedKeys(since: before)
    }

    private mutating func removeUnits(except present: [ContentUnit]) {
        // Each unit that is present is in the index by now; mostly nothing else is.
        let steps = publisher.steps
        let count = folder.unchanged.joined().count {
            steps.contains(baseline.loaded.units.step(at: $0))
        }
        guard content.index.units.count(of: steps) > present.count + count else {
            return content.summary.removed.sort()
        }
        let unchanged = Set(folder.unchanged.joined())
        let keys = Set(present.map(\.key))
        let gone = content.index.units.filter { unit in
            steps.contains(unit.step) && !keys.contains(unit.key)
                && !(content.index.units.position(of: unit.recordKey).map { unchanged.contains($0) }
                    ?? false)
        }
        for unit in gone {
            content.summary.removed += unit.files.map(\.path)
            content.index.units[unit.recordKey] = nil
            content.differs = true
        }
        content.summary.removed.sort()
    }
}
