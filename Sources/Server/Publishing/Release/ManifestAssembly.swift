import ContentModel

/// Puts the parts of a manifest together without parsing those that did not change.
enum ManifestAssembly {
    /// The canonical bytes of a manifest, equal to `Manifest.canonicalBytes` of the same values.
    static func bytes(
        units: some Sequence<IndexedUnit>, release: Int, generatedAt: String, baseURL: String?
    ) throws -> [UInt8] {
        var languages: [Part] = []
        var exams: [Part] = []
        var members: [Part] = []
        for unit in units {
            switch unit.step {
            case .blueprints: languages.append(Part(unit, "blueprint"))
            case .localizations: languages.append(Part(unit, "localization"))
            case .audio: languages.append(Part(unit, "audio"))
            case .exams: exams.append(Part(name: unit.name, member: "", bytes: try dated(unit)))
            case .assets where unit.fragment == Array("{}".utf8): break
            case .assets, .announcements:
                members.append(Part(name: unit.step.rawValue, member: "", bytes: unit.fragment))
            }
        }
        func add(_ name: String, _ bytes: [UInt8]) {
            members.append(Part(name: name, member: "", bytes: bytes))
        }
        add("generatedAt", JSONValue.string(generatedAt).canonicalBytes)
        add("languages", nestedObject(languages))
        add("release", Array("\(release)".utf8))
        add("schemaVersion", Array("\(Manifest.schemaVersion)".utf8))
        if let baseURL { add("contentBaseUrl", JSONValue.string(baseURL).canonicalBytes) }
        if !exams.isEmpty { add("exams", object(exams)) }
        return object(members)
    }

    /// A value that is ready to be written under a name, or under a member of a name.
    private struct Part {
        var name: String
        var member: String
        var bytes: [UInt8]

        init(name: String, member: String, bytes: [UInt8]) {
            self.name = name
            self.member = member
            self.bytes = bytes
        }

        init(_ unit: IndexedUnit, _ member: String) {
            self.init(name: unit.name, member: member, bytes: unit.fragment)
        }
    }

    /// An object of values by name; all names are ids, so ASCII that needs no escape.
    private static func object(_ parts: [Part]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for (index, part) in parts.sorted(by: { $0.name < $1.name }).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(part.name, part.bytes, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// An object of objects: the parts of one name stand together.
    private static func nestedObject(_ parts: [Part]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        bytes.reserveCapacity(parts.reduce(2) { $0 + $1.bytes.count + 64 })
        var current: String?
        for part in parts.sorted(by: { ($0.name, $0.member) < ($1.name, $1.member) }) {
            if part.name == current {
                bytes.append(UInt8(ascii: ","))
            } else {
                if current != nil { bytes += "},".utf8 }
                write(part.name, [UInt8(ascii: "{")], to: &bytes)
                current = part.name
            }
            write(part.member, part.bytes, to: &bytes)
        }
        bytes += (current == nil ? "}" : "}}").utf8
        return bytes
    }

    private static func write(_ name: String, _ value: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        bytes += name.utf8
        bytes += "\":".utf8
        bytes += value
    }

    private static func dated(_ unit: IndexedUnit) throws -> [UInt8] {
        guard let updatedAt = unit.updatedAt,
            case .object(var members) = try JSONParser.parse(unit.fragment).value
        else { return unit.fragment }
        members["contentUpdatedAt"] = .string(updatedAt)
        return JSONValue.object(members).canonicalBytes
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

    /// The parts of a manifest that units give, without their files.
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
