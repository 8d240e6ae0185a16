import ContentModel
import ServiceAPI

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
        var units: [IndexedUnit] = []
        for (language, entry) in manifest.languages {
            if let blueprint = entry.blueprint {
                units.append(
                    unit(
                        .blueprints, language, blueprint,
                        ContentRoutes.blueprint(language: language)))
            }
            if let texts = entry.localization {
                units.append(
                    unit(
                        .localizations, language, texts,
                        ContentRoutes.localization(language: language)))
            }
            if let audio = entry.audio {
                units.append(
                    IndexedUnit(
                        step: .audio, name: language, fragment: audio.json.canonicalBytes,
                        files: files(audio) { ContentRoutes.audio(language: language, name: $0) }))
            }
        }
        for (key, entry) in manifest.exams { units.append(unit(exam: key, entry)) }
        if !manifest.assets.isEmpty { units.append(unit(assets: manifest.assets)) }
        if let announcements = manifest.announcements {
            units.append(unit(.announcements, "", announcements, ContentRoutes.announcements))
        }
        return Dictionary(units.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
    }

    private static func unit(
        _ step: PublishStep, _ name: String, _ reference: ContentReference, _ path: String
    ) -> IndexedUnit {
        let file = IndexedFile(
            path: path, checksum: reference.checksum, size: reference.size ?? 0, stamp: nil)
        return IndexedUnit(
            step: step, name: name, fragment: reference.json.canonicalBytes, files: [file])
    }

    private static func unit(exam key: String, _ entry: ExamEntry) -> IndexedUnit {
        var files: [IndexedFile] = []
        if let blueprint = entry.blueprint {
            files.append(
                IndexedFile(
                    path: ContentRoutes.exam(key), checksum: blueprint.checksum,
                    size: blueprint.size ?? 0, stamp: nil))
        }
        if let media = entry.media {
            files += self.files(media) { ContentRoutes.media(exam: key, name: $0) }
        }
        let undated = ExamEntry(blueprint: entry.blueprint, media: entry.media)
        return IndexedUnit(
            step: .exams, name: key, fragment: undated.json.canonicalBytes,
            updatedAt: entry.contentUpdatedAt, files: files)
    }

    private static func unit(assets: [String: AssetEntry]) -> IndexedUnit {
        let files = assets.map {
            IndexedFile(
                path: ContentRoutes.asset($0.key), checksum: $0.value.checksum,
                size: $0.value.size ?? 0, stamp: nil)
        }
        return IndexedUnit(
            step: .assets, name: "",
            fragment: JSONValue.object(assets.mapValues(\.json)).canonicalBytes,
            files: files.sorted { $0.path < $1.path })
    }

    private static func files(_ list: FileList, path: (String) -> String) -> [IndexedFile] {
        list.files.map {
            IndexedFile(path: path($0.name), checksum: $0.checksum, size: $0.size ?? 0, stamp: nil)
        }
    }
}
