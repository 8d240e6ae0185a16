import ContentModel

extension PublishRun {
    /// The manifest of the next release, as a device has read it.
    ///
    /// - Throws: `PublishingError` `contentErrors` when a device would refuse it, or leave out a part
    ///   of it that is not part of an older release which comes back.
    func readableManifest(release: Int, generatedAt: String) throws -> [UInt8] {
        func manifest(of units: RecordTable<IndexedUnit>) throws -> [UInt8] {
            try ManifestAssembly.bytes(
                units: units, release: release, generatedAt: generatedAt,
                baseURL: index.contentBaseURL, rollout: index.rollout)
        }
        let whole = try manifest(of: index.units)
        let unread = unreadUnits
        let part = unread.count == index.units.count ? whole : try manifest(of: RecordTable(unread))
        var problems = DeviceCheck.problems(
            ofManifest: part, wholeCount: whole.count, refusedOnly: restoresOlderRelease)
        if !restoresOlderRelease {
            problems += try AppCheck(unitBuilder)
                .problems(ofManifest: whole.count, rollout: index.rollout)
        }
        let areKnown = unread.allSatisfy { baseline.loaded.units[$0.key] != nil }
        if !areKnown, !restoresOlderRelease {
            problems += DeviceCheck.clashes(among: index.units)
        }
        try refuseErrors(problems)
        return whole
    }

    /// The units whose part of the manifest no device's reader has read: what was built now, and what
    /// the index does not know from an earlier publish.
    var unreadUnits: [IndexedUnit] {
        index.units.filter { (unit, reader) throws(IndexReader.Damage) in
            for _ in 0..<unit.fileCount { _ = try StoredFile(from: &reader) }
            return try reader.count() == 0
        } changed: { unit in
            unit.sources.isEmpty || builtUnits.contains(unit.key)
        }
    }
}
