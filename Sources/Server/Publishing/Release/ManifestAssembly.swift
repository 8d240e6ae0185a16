import ContentModel
import ServiceAPI

/// Puts the parts of a manifest together without parsing those that did not change.
enum ManifestAssembly {
    /// The canonical bytes of a manifest, equal to `Manifest.canonicalBytes` of the same values.
    static func bytes(
        units: some Sequence<IndexedUnit>, release: Int, generatedAt: String, baseURL: String?
    ) throws -> [UInt8] {
        var languages: [String: [String: [UInt8]]] = [:]
        var exams: [String: [UInt8]] = [:]
        var single: [PublishStep: [UInt8]] = [:]
        for unit in units {
            switch unit.step {
            case .blueprints: languages[unit.name, default: [:]]["blueprint"] = unit.fragment
            case .localizations:
                languages[unit.name, default: [:]]["localization"] = unit.fragment
            case .audio: languages[unit.name, default: [:]]["audio"] = unit.fragment
            case .exams: exams[unit.name] = try dated(unit)
            case .assets, .announcements: single[unit.step] = unit.fragment
            }
        }
        var members: [String: [UInt8]] = [
            "generatedAt": JSONValue.string(generatedAt).canonicalBytes,
            "languages": object(languages.mapValues(object)),
            "release": Array("\(release)".utf8),
            "schemaVersion": Array("\(Manifest.schemaVersion)".utf8),
        ]
        if let baseURL { members["contentBaseUrl"] = JSONValue.string(baseURL).canonicalBytes }
        if !exams.isEmpty { members["exams"] = object(exams) }
        members["assets"] = single[.assets].flatMap { $0 == Array("{}".utf8) ? nil : $0 }
        members["announcements"] = single[.announcements]
        return object(members)
    }

    private static func object(_ members: [String: [UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        for (index, member) in sorted.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += JSONValue.string(member.key).canonicalBytes
            bytes.append(UInt8(ascii: ":"))
            bytes += member.value
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
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
