import ContentModel
import Dispatch
import ServiceAPI
import Synchronization

/// One publish under way.
struct PublishRun {
    let publisher: Publisher
    let directory: ReleaseDirectory
    var index: ReleaseIndex
    var folder: ContentFolder
    var drift: DriftScan
    var settings = FolderSettings.fallback
    var summary = PublishSummary()
    /// True once the manifest must be written.
    private var differs: Bool
    private var manifestIsForeign = false
    /// The index as it is on the disk.
    private let loaded: ReleaseIndex

    init(_ publisher: Publisher, directory: ReleaseDirectory) throws {
        self.publisher = publisher
        self.directory = directory
        let state = try ReleaseState.load(directory)
        index = state.index
        loaded = state.index
        manifestIsForeign = state.manifestIsForeign
        differs = state.index.release == 0
        (drift, folder) = try Self.scan(publisher, directory, &index)
        if manifestIsForeign {
            drift.edited.append(
                DriftedFile(
                    path: ContentRoutes.manifest, checksum: index.manifestChecksum, unit: nil))
        }
        summary.drifted = drift.edited.map(\.path)
        summary.release = index.release
    }

    /// Looks at the served files and at the content folder, side by side.
    ///
    /// Both are thousands of calls that wait for the kernel; scanning the folder uses all cores itself.
    private static func scan(
        _ publisher: Publisher, _ directory: ReleaseDirectory, _ index: inout ReleaseIndex
    ) throws -> (DriftScan, ContentFolder) {
        let known = publisher.verifies ? [:] : index.listings
        let before = index
        let served = Mutex<Result<(DriftScan, ReleaseIndex), any Error>?>(nil)
        let group = DispatchGroup()
        DispatchQueue.global(qos: .userInitiated).async(group: group) {
            let found = Result {
                var index = before
                var scan = DriftScan(directory: directory, readsAll: publisher.verifies)
                try scan.run(&index)
                return (scan, index)
            }
            served.withLock { $0 = found }
        }
        let found = Result { try ContentFolder(root: publisher.folder, known: known) }
        group.wait()
        guard let (scan, seen) = try served.withLock({ try $0?.get() }) else {
            preconditionFailure("the group has ended")
        }
        let content = try found.get()
        index = seen
        return (scan, content)
    }

    /// Notes that a new release must be made.
    mutating func markChanged() {
        differs = true
        summary.isNew = true
        summary.blueprints = index.units.values.count {
            $0.step == .blueprints || $0.step == .exams
        }
    }

    // MARK: Drift

    mutating func settleDrift() throws {
        guard !drift.edited.isEmpty else { return }
        switch publisher.driftPolicy {
        case .refuse:
            let names = drift.edited.map { "  " + $0.path }.joined(separator: "\n")
            throw PublishingError(
                .drift,
                "These served files were edited by hand since they were published:\n\(names)\n"
                    + "`--adopt` brings the edits back into the content folder,"
                    + " `--overwrite` discards them.")
        case .adopt: try adopt()
        case .overwrite: break
        }
        try discardDamagedObjects()
        differs = differs || manifestIsForeign
    }

    /// Editing a readable name in place also edits the object that it is linked to.
    ///
    /// Such an object is removed, and its unit built again.
    private mutating func discardDamagedObjects() throws {
        for file in drift.edited {
            guard let key = file.unit,
                let known = index.units[key]?.files.first(where: { $0.path == file.path }),
                try !directory.isIntact(known.checksum)
            else { continue }
            directory.removeReadable(ContentRoutes.object(known.checksum))
            index.units[key]?.sources = []
        }
    }

    private mutating func adopt() throws {
        let adoption = Adoption(root: folder.root, directory: directory)
        for file in drift.edited {
            guard file.unit != nil else {
                throw PublishingError(
                    .drift,
                    "\(file.path) was edited by hand and cannot be adopted, because it is made"
                        + " from everything else. `--overwrite` makes it anew.")
            }
            let unit = folder.units.first { $0.key == file.unit }
            summary.adopted.append(try adoption.adopt(file, unit: unit))
        }
        folder = try ContentFolder(root: folder.root)
    }

    // MARK: Building

    mutating func build(writes: Bool, generatedAt: String) throws {
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        if let read = try folder.settings(report: report) { settings = read }
        let units = folder.units.filter { publisher.steps.contains($0.step) }
        let settingsChecksum = Checksum(
            of: Array(settings.announcementLanguages.joined(separator: ",").utf8))
        let settingsChanged = index.settingsChecksum != settingsChecksum
        let stale = units.filter { unit in
            publisher.verifies || index.units[unit.key]?.sources != unit.sources
                || unit.sources.isEmpty || (settingsChanged && unit.step == .announcements)
        }
        let built = try buildUnits(stale, writes: writes)
        let problems = report.problems + folder.problems + built.flatMap(\.problems)
        try refuseErrors(problems)
        for (unit, result) in zip(stale, built) {
            replace(unit, with: result, generatedAt: generatedAt)
        }
        removeUnits(except: units)
        let baseURL = publisher.isForDevelopment ? nil : settings.contentBaseURL
        differs = differs || index.contentBaseURL != baseURL
        index.contentBaseURL = baseURL
        index.settingsChecksum = settingsChecksum
        index.listings = folder.listings
        summary.unitsBuilt = built.count
        summary.unitsTotal = folder.units.count
        summary.warnings = problems.filter { $0.rule.severity == .warning }.sorted()
        summary.changed.sort()
        summary.blueprints = index.units.values.count {
            $0.step == .blueprints || $0.step == .exams
        }
        summary.isNew = differs
    }

    private mutating func buildUnits(_ units: [ContentUnit], writes: Bool) throws -> [BuiltUnit] {
        let builder = UnitBuilder(root: folder.root, settings: settings)
        let written = Mutex(0)
        let directory = directory
        let verifies = publisher.verifies
        let built = try UnitBuilder.buildAll(
            units, with: builder, progress: publisher.progress
        ) { unit in
            guard writes, !unit.problems.contains(where: { $0.rule.severity == .error }) else {
                return unit
            }
            var unit = unit
            for position in unit.files.indices {
                let file = unit.files[position]
                let isNew = try directory.write(
                    try Self.bytes(of: file, root: builder.root), of: file, verify: verifies)
                if isNew { written.withLock { $0 += 1 } }
                // The bytes are on the disk now and need no memory any more.
                unit.files[position].bytes = .made([])
            }
            return unit
        }
        summary.objectsWritten = written.withLock { $0 }
        return built
    }

    private static func bytes(of file: BuiltFile, root: String) throws -> [UInt8] {
        switch file.bytes {
        case .made(let bytes): bytes
        case .source(let path): try Files.read(root + "/" + path)
        }
    }

    private func refuseErrors(_ problems: [Problem]) throws {
        let errors = problems.filter { $0.rule.severity == .error }.sorted()
        guard !errors.isEmpty else { return }
        throw PublishingError(
            .contentErrors,
            "The content has \(errors.count) error\(errors.count == 1 ? "" : "s");"
                + " nothing was published.", problems: errors)
    }

    private mutating func replace(
        _ unit: ContentUnit, with built: BuiltUnit, generatedAt: String
    ) {
        let old = index.units[unit.key]
        let oldFiles = Dictionary(
            (old?.files ?? []).map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        var new = IndexedUnit(
            step: unit.step, name: unit.name, sources: unit.sources, fragment: built.fragment,
            updatedAt: old?.updatedAt, files: [])
        for file in built.files {
            let known = oldFiles[file.path]
            let isSame = known?.checksum == file.checksum
            if !isSame { summary.changed.append(file.path) }
            new.files.append(
                IndexedFile(
                    path: file.path, checksum: file.checksum, size: file.size,
                    stamp: isSame ? known?.stamp : nil))
        }
        let kept = Set(new.files.map(\.path))
        summary.removed += oldFiles.keys.filter { !kept.contains($0) }
        if old?.fragment != new.fragment {
            differs = true
            if unit.step == .exams { new.updatedAt = generatedAt }
        }
        // A warning is to be seen again next time, so the unit counts as unknown.
        if !built.problems.isEmpty { new.sources = [] }
        index.units[unit.key] = new
    }

    private mutating func removeUnits(except present: [ContentUnit]) {
        // Each unit that is present is in the index by now; mostly nothing else is.
        let steps = publisher.steps
        guard index.units.values.count(where: { steps.contains($0.step) }) > present.count else {
            return summary.removed.sort()
        }
        let keys = Set(present.map(\.key))
        for (key, unit) in index.units where steps.contains(unit.step) && !keys.contains(key) {
            summary.removed += unit.files.map(\.path)
            index.units[key] = nil
            differs = true
        }
        summary.removed.sort()
    }

    // MARK: Switching

    mutating func switchRelease(nowSeconds: Int, generatedAt: String) throws {
        var manifest: [UInt8] = []
        let next = max(index.release, directory.keptReleases.last ?? 0) + 1
        if differs {
            manifest = try ManifestAssembly.bytes(
                units: index.units.values, release: next, generatedAt: generatedAt,
                baseURL: index.contentBaseURL)
            try directory.keep(manifest, release: next)
        }
        try linkReadableNames()
        if differs {
            index.manifestStamp = try directory.makeCurrent(manifest, nowSeconds: nowSeconds)
            index.manifestChecksum = Checksum(of: manifest)
            index.release = next
            summary.manifestBytes = manifest.count
        }
        for path in summary.removed { directory.removeReadable(path) }
        forgetRecentSources(nowSeconds: nowSeconds)
        if index != loaded { try directory.write(index) }
        summary.release = index.release
    }

    /// Links each readable name whose file is new, changed, missing or edited.
    private mutating func linkReadableNames() throws {
        let units = index.units
        let expected = Set(summary.changed).union(summary.drifted)
        for (key, unit) in units {
            for (position, file) in unit.files.enumerated() where file.stamp == nil {
                if !expected.contains(file.path) {
                    summary.restored.append(file.path)
                }
                if Files.look(directory.path(ContentRoutes.object(file.checksum))) == nil {
                    throw PublishingError(
                        .unreadable,
                        "The object of \(file.path) is gone. `publish --verify` writes it again.")
                }
                index.units[key]?.files[position].stamp = try directory.link(
                    file.path, to: file.checksum)
            }
        }
        summary.restored.sort()
    }

    /// A source that changed in the same moment as it was read could change again without a new
    /// stamp, so it is read once more next time (git calls such entries racy).
    private mutating func forgetRecentSources(nowSeconds: Int) {
        let limit = (nowSeconds - 1) * 1_000_000_000
        for (key, unit) in index.units
        where unit.sources.contains(where: { $0.stamp.latest >= limit }) {
            index.units[key]?.sources = []
        }
        guard index.listings.values.contains(where: { $0.stamp.latest >= limit }) else { return }
        index.listings = index.listings.filter { $0.value.stamp.latest < limit }
    }
}
