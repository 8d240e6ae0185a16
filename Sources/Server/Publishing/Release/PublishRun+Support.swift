import ContentModel

/// The declared versions of the app, for content that did not change since it was published.
extension PublishRun {
    /// Checks what is released already, with the versions that another rollout lets have it.
    ///
    /// - Throws: `PublishingError` `contentErrors`, or when an object or a source cannot be read.
    mutating func checkSupport(of rollout: Rollout?) throws {
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        if let read = try folder.settings(report: report) { content.settings = read }
        let undeclared = try content.settings.support.add(publisher.supports)
        content.settings.support = content.settings.support.taking(rollout)
        let unsupported = try unsupportedUnits(except: [], removesGone: false)
        let problems =
            report.problems + undeclared + unsupported.values.joined()
            + (try AppCheck(unitBuilder).problems(ofManifest: 0, rollout: rollout))
            + (try AppCheck(unitBuilder).unseen(
                in: content.index.units, announcements: folder.announcementCount))
        try ContentBuild.refuseErrors(problems)
        noteSupport(unsupported)
        content.summary.warnings = problems.filter { $0.rule.severity == .warning }.sorted()
        content.index.supportChecksum = content.settings.support.checksum
    }

    /// Checks the units that are not built in this run, when the declared versions changed since the last publish.
    ///
    /// Everything that is built is checked with it, so that an ordinary publish reads nothing for this.
    ///
    /// - Parameters:
    ///   - stale: The units that are built.
    ///   - removesGone: False when what is gone from the content folder stays in the release.
    /// - Returns: The problems of each unit that has some, by its key.
    /// - Throws: `PublishingError` when an object or a source cannot be read.
    func unsupportedUnits(
        except stale: [ContentUnit], removesGone: Bool = true
    ) throws -> [String: [Problem]] {
        let check = AppCheck(unitBuilder)
        guard content.index.supportChecksum != content.settings.support.checksum, !check.isIdle
        else { return [:] }
        let built = Set(stale.map(\.key))
        let seen = Dictionary(folder.units.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        let unchanged = Set(folder.unchanged.joined())
        var problems: [String: [Problem]] = [:]
        for indexed in content.index.units where !built.contains(indexed.key) {
            let isUnchanged =
                content.index.units.position(of: indexed.recordKey).map { unchanged.contains($0) }
                ?? false
            // One that is gone from the content folder goes from the release too, with its step.
            if removesGone, seen[indexed.key] == nil, !isUnchanged,
                publisher.steps.contains(indexed.step)
            {
                continue
            }
            let unit =
                seen[indexed.key]
                ?? ContentUnit(
                    step: indexed.step, name: indexed.name,
                    sources: isUnchanged ? indexed.sources : [])
            let found = try check.problems(of: indexed, unit, in: directory)
            if !found.isEmpty { problems[indexed.key] = found }
        }
        return problems
    }

    /// Lets the index remember what the declared versions lack of units that were not built, in place of what it remembered.
    mutating func noteSupport(_ unsupported: [String: [Problem]]) {
        guard content.index.supportChecksum != content.settings.support.checksum else { return }
        let former = content.index.units.withProblems.map(\.key).filter {
            !content.builtUnits.contains($0)
        }
        for key in Set(former).union(unsupported.keys) {
            content.index.units[key]?.problems.removeAll(where: \.isOfApps)
            content.index.units[key]?.problems += unsupported[key] ?? []
        }
    }

    /// Returns the warnings that the index remembers of units of this publish that were not built.
    ///
    /// - Parameter found: Units whose problems are known already.
    /// - Returns: The warnings, in no stated order.
    func knownProblems(except found: [String: [Problem]]) -> [Problem] {
        content.index.units.withProblems
            .filter { publisher.steps.contains($0.step) && !content.builtUnits.contains($0.key) }
            .flatMap { unit in
                found[unit.key] == nil ? unit.problems : unit.problems.filter { !$0.isOfApps }
            }
    }
}

extension Problem {
    /// True for a problem of a declared version of the app, and not of the content itself.
    fileprivate var isOfApps: Bool { [.unsupported, .partlySupported].contains(rule) }
}
