import ContentModel
import TestSupport
import Testing

@Suite struct ManifestEntryTests {
    /// Compares the walk over a random manifest with one that is written out here.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func entriesAreAllFilesOfARandomManifest(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let manifest = Manifest.random(using: &random)
        var expected: Set<String> = []
        func note(
            _ kind: String, _ key: String, _ name: String, _ checksum: Checksum, _ size: Int?,
            _ fetchClass: String, _ path: String
        ) {
            expected.insert(
                "\(kind)|\(key)|\(name)|\(checksum)|\(size ?? -1)|\(fetchClass)|\(path)")
        }
        for (code, entry) in manifest.languages {
            if let file = entry.blueprint {
                note(
                    "blueprint", code, "", file.checksum, file.size, "eager",
                    "blueprints/\(code).json")
            }
            if let file = entry.localization {
                note(
                    "localization", code, "", file.checksum, file.size, "eager",
                    "localizations/\(code).json")
            }
            for file in entry.audio?.files ?? [] {
                note(
                    "audio", code, file.name, file.checksum, file.size, "onDemand",
                    "audio/\(code)/\(file.name)")
            }
        }
        for (key, entry) in manifest.exams {
            if let file = entry.blueprint {
                note("exam", key, "", file.checksum, file.size, "eager", "exams/\(key).json")
            }
            for file in entry.media?.files ?? [] {
                note(
                    "media", key, file.name, file.checksum, file.size, "onDemand",
                    "media/\(key)/\(file.name)")
            }
        }
        for (path, file) in manifest.assets {
            note(
                "asset", path, "", file.checksum, file.size, file.fetchClass.rawValue,
                "assets/\(path)")
        }
        if let file = manifest.announcements {
            note(
                "announcements", "", "", file.checksum, file.size, "eager", "announcements.json")
        }

        let entries = manifest.entries

        let found = entries.map {
            "\($0.kind)|\($0.key)|\($0.name)|\($0.checksum)|\($0.size ?? -1)|\($0.fetchClass)"
                + "|\($0.path)"
        }
        #expect(Set(found) == expected, "seed \(seed)")
        #expect(found.count == expected.count, "seed \(seed)")
        #expect(entries.allSatisfy { ReleasePath($0.path.text) == $0.path }, "seed \(seed)")
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func documentsAndOtherFilesAreAllEntries(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let manifest = Manifest.random(using: &random)
        let documents = manifest.eagerDocuments
        let order = documents.map { ($0.kind, $0.key) }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
        let lazy = manifest.entries.filter { $0.fetchClass != .eager }
        #expect(documents.count + lazy.count == manifest.entries.count, "seed \(seed)")
        #expect(manifest.lazyChecksums == Set(lazy.map(\.checksum)), "seed \(seed)")
        #expect(documents.allSatisfy { $0.path != nil }, "seed \(seed)")
    }

    @Test func aManifestWithAnInvalidNameHasNoPaths() async {
        await #expect(processExitsWith: .failure) {
            let entry = AssetEntry(checksum: Checksum(of: [1]), size: 1, fetchClass: .eager)
            _ = Manifest(release: 1, assets: ["../secret": entry]).entries.map(\.path)
        }
    }

    /// The bytes of a manifest are what devices and mirrors compare.
    @Test func theWireFormIsUnchanged() throws {
        let bytes = Self.golden.canonicalBytes
        #expect(String(decoding: bytes, as: UTF8.self) == Self.goldenText)
        #expect(try Manifest(bytes) == Self.golden)
    }

    private static let golden: Manifest = {
        let checksum = Checksum(of: [1])
        let reference = ContentReference(version: "1", checksum: checksum, size: 9)
        let files = FileList(
            version: "2", files: [FileReference(name: "a/b.m4a", checksum: checksum, size: nil)])
        return Manifest(
            release: 17, generatedAt: "2026-11-21T10:00:00Z", contentBaseURL: "https://host",
            languages: ["es": .init(blueprint: reference, localization: reference, audio: files)],
            exams: ["de/aws": .init(contentUpdatedAt: "now", blueprint: reference, media: files)],
            assets: ["a/b.json": .init(checksum: checksum, size: 3, fetchClass: .onDemand)],
            announcements: reference)
    }()

    private static let goldenText: String = {
        let digits = "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"
        let reference = "{\"checksum\":\"sha256:\(digits)\",\"size\":9,\"version\":\"1\"}"
        let files =
            "{\"files\":[{\"checksum\":\"sha256:\(digits)\",\"name\":\"a/b.m4a\"}]"
            + ",\"version\":\"2\"}"
        return "{\"announcements\":\(reference)"
            + ",\"assets\":{\"a/b.json\":{\"checksum\":\"sha256:\(digits)\",\"class\":\"onDemand\""
            + ",\"size\":3}},\"contentBaseUrl\":\"https://host\""
            + ",\"exams\":{\"de/aws\":{\"blueprint\":\(reference),\"contentUpdatedAt\":\"now\""
            + ",\"media\":\(files)}},\"generatedAt\":\"2026-11-21T10:00:00Z\""
            + ",\"languages\":{\"es\":{\"audio\":\(files),\"blueprint\":\(reference)"
            + ",\"localization\":\(reference)}},\"release\":17,\"schemaVersion\":2}"
    }()
}

extension Manifest {
    /// A manifest with some of everything, and names of every valid shape.
    fileprivate static func random(using random: inout SeededGenerator) -> Manifest {
        func checksum() -> Checksum { Checksum(of: [UInt8.random(in: 0...9, using: &random)]) }
        func size() -> Int? {
            Bool.random(using: &random) ? .random(in: 0...9, using: &random) : nil
        }
        func document() -> ContentReference? {
            Bool.random(using: &random) ? ContentReference(checksum: checksum(), size: size()) : nil
        }
        func names(_ from: [String]) -> [String] {
            from.filter { _ in Bool.random(using: &random) }
        }
        func files() -> FileList? {
            guard Bool.random(using: &random) else { return nil }
            return FileList(
                files: names(["a.m4a", "b/c.gz", "\u{301}.mp3", "c.json.br", "é/ü"]).map {
                    FileReference(name: $0, checksum: checksum(), size: size())
                })
        }
        var manifest = Manifest(release: 3, announcements: document())
        for code in names(["de", "es-419", "en.json", "x.gz"]) {
            manifest.languages[code] = LanguageEntry(
                blueprint: document(), localization: document(), audio: files())
        }
        for key in names(["ca/az", "ca/az.json", "exams/media"]) {
            manifest.exams[key] = ExamEntry(blueprint: document(), media: files())
        }
        for path in names(["a", "a.gz", "b/c/d.json", "objects/x", "é \u{301}"]) {
            manifest.assets[path] = AssetEntry(
                checksum: checksum(), size: size(),
                fetchClass: AssetClass.allCases.randomElement(using: &random) ?? .eager)
        }
        return manifest
    }
}
