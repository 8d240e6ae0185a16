import ContentModel

/// Puts the parts of a manifest together without parsing those that did not change.
enum ManifestAssembly {
    /// Returns the canonical bytes of a manifest, equal to `Manifest.canonicalBytes` of the same values.
    static func bytes(
        units: RecordTable<IndexedUnit>, release: Int, generatedAt: String, baseURL: String?,
        rollout: Rollout? = nil
    ) throws -> [UInt8] {
        var parts = Parts()
        parts.languages.reserveCapacity(256 * units.count)
        try units.forEachInOrder { position in
            try units.withStored(position) { key, reader in
                let unit = try StoredUnit(key: key, from: &reader)
                let updatedAt = unit.updatedAt.bytes.isEmpty ? nil : unit.updatedAt.string
                try parts.add(unit.step, unit.name.bytes, unit.fragment, updatedAt)
            }
        } changed: { unit in
            try unit.fragment.withUnsafeBytes { fragment in
                try Array(unit.name.utf8).withUnsafeBytes {
                    try parts.add(unit.step, $0, fragment, unit.updatedAt)
                }
            }
        }
        return parts.manifest(
            release: release, generatedAt: generatedAt, baseURL: baseURL, rollout: rollout)
    }

    /// The parts of a manifest, put together in the order in which a table has the units.
    private struct Parts {
        /// The members of the object of languages, but for the end of the last one.
        var languages: [UInt8] = []
        private var language: [UInt8]?
        private var exams: [UInt8] = []
        private var members: [(name: String, bytes: [UInt8])] = []

        /// Adds a fragment; all names are ids, so ASCII that needs no escape.
        mutating func add(
            _ step: PublishStep, _ name: UnsafeRawBufferPointer, _ fragment: UnsafeRawBufferPointer,
            _ updatedAt: String?
        ) throws {
            switch step {
            case .audio: addLanguage(name, "audio", fragment)
            case .blueprints: addLanguage(name, "blueprint", fragment)
            case .localizations: addLanguage(name, "localization", fragment)
            case .exams:
                exams.append(UInt8(ascii: exams.isEmpty ? "{" : ","))
                Self.addName(name, to: &exams)
                exams += try Self.dated(Array(fragment), updatedAt)
            case .assets where fragment.elementsEqual("{}".utf8): break
            case .assets, .announcements: members.append((step.rawValue, Array(fragment)))
            }
        }

        private mutating func addLanguage(
            _ name: UnsafeRawBufferPointer, _ member: String, _ fragment: UnsafeRawBufferPointer
        ) {
            if let language, name.elementsEqual(language) {
                languages.append(UInt8(ascii: ","))
            } else {
                languages += (language == nil ? "{" : "},").utf8
                Self.addName(name, to: &languages)
                languages.append(UInt8(ascii: "{"))
                language = Array(name)
            }
            member.utf8.withContiguousStorageIfAvailable {
                Self.addName(UnsafeRawBufferPointer($0), to: &languages)
            }
            languages.append(contentsOf: fragment)
        }

        private static func addName(_ name: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: name)
            bytes += "\":".utf8
        }

        private static func dated(_ fragment: [UInt8], _ updatedAt: String?) throws -> [UInt8] {
            guard let updatedAt,
                case .object(var members) = try JSONParser.parse(fragment).value
            else { return fragment }
            members["contentUpdatedAt"] = .string(updatedAt)
            return JSONValue.object(members).canonicalBytes
        }

        func manifest(
            release: Int, generatedAt: String, baseURL: String?, rollout: Rollout?
        ) -> [UInt8] {
            var members = members
            members.append(("generatedAt", JSONValue.string(generatedAt).canonicalBytes))
            members.append(("languages", languages + (language == nil ? "{}" : "}}").utf8))
            members.append(("release", Array("\(release)".utf8)))
            members.append(("schemaVersion", Array("\(Manifest.schemaVersion)".utf8)))
            if let baseURL {
                members.append(("contentBaseUrl", JSONValue.string(baseURL).canonicalBytes))
            }
            if let rollout { members.append(("rollout", rollout.json.canonicalBytes)) }
            if !exams.isEmpty { members.append(("exams", exams + "}".utf8)) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(
                members.reduce(64) { $0 + $1.name.utf8.count + $1.bytes.count + 4 })
            for (name, value) in members.sorted(by: { $0.name < $1.name }) {
                bytes.append(UInt8(ascii: bytes.isEmpty ? "{" : ","))
                Array(name.utf8).withUnsafeBytes { Self.addName($0, to: &bytes) }
                bytes += value
            }
            return bytes + "}".utf8
        }
    }

    /// Takes a manifest apart again: what an index would say of it, with no sources known.
    static func units(of manifest: Manifest) -> [String: IndexedUnit] {
        var units = Dictionary(
            parts(of: manifest).map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        for entry in manifest.entries {
            let file = IndexedFile(
                path: entry.path.text, checksum: entry.checksum, size: entry.size ?? 0, stamp: nil)
            units[entry.unitKey]?.files.append(file)
        }
        return units
    }

    /// Returns the parts of a manifest that units give, without their files.
    private static func parts(of manifest: Manifest) -> [IndexedUnit] {
        var units: [IndexedUnit] = []
        func add(_ step: PublishStep, _ name: String, _ json: JSONValue?) {
            guard let json else { return }
            units.append(
                IndexedUnit(step: step, name: name, fragment: json.canonicalBytes, files: []))
        }
        for (language, entry) in manifest.languages {
            add(.blueprints, language, entry.blueprint?.json)
            add(.localizations, language, entry.localization?.json)
            add(.audio, language, entry.audio?.json)
        }
        if !manifest.assets.isEmpty {
            add(.assets, "", .object(manifest.assets.mapValues(\.json)))
        }
        add(.announcements, "", manifest.announcements?.json)
        return units + manifest.exams.map { unit(exam: $0.key, $0.value) }
    }

    private static func unit(exam key: String, _ entry: ExamEntry) -> IndexedUnit {
        let undated = ExamEntry(blueprint: entry.blueprint, media: entry.media)
        return IndexedUnit(
            step: .exams, name: key, fragment: undated.json.canonicalBytes,
            updatedAt: entry.contentUpdatedAt, files: [])
    }
}

extension ManifestEntry {
    /// The key of the unit that gives the entry.
    fileprivate var unitKey: String {
        switch kind {
        case .blueprint: IndexedUnit.key(.blueprints, key)
        case .localization: IndexedUnit.key(.localizations, key)
        case .audio: IndexedUnit.key(.audio, key)
        case .exam, .media: IndexedUnit.key(.exams, key)
        case .asset: IndexedUnit.key(.assets, "")
        case .announcements: IndexedUnit.key(.announcements, "")
        }
    }
}
