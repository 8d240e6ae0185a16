import ContentModel
import Foundation
import Glibc
import Publishing
import TestSupport
import Testing

/// What a publish reads and what it leaves alone.
@Suite struct OriginalPublishTests {
    private let world: OriginalWorld

    init() throws { world = try OriginalWorld() }

    @Test("Building blueprints never touches audio entries.")
    func buildingBlueprintsLeavesAudioAlone() async throws {
        let before = try world.manifest()
        try world.folder.writeBlueprint("de", key: 1)
        try world.folder.write("other clip", to: "content/languages/de/audio/hello.m4a")
        try world.folder.write("new clip", to: "content/languages/de/audio/more.m4a")
        let result = try await Tool.run(["publish", "--only", "blueprints"] + world.folders)
        #expect(result.status == 0, "\(result.errors)")
        let after = try world.manifest()
        #expect(after.languages["de"]?.blueprint != before.languages["de"]?.blueprint)
        #expect(after.languages["de"]?.audio == before.languages["de"]?.audio)
        #expect(try world.folder.text("release/audio/de/hello.m4a") == "clip of es")
    }

    @Test("Unchanged sources are not read again.")
    func unchangedSourcesAreNotReadAgain() throws {
        let reads = try ReadWatch(of: world.content + "/languages")
        #expect(try world.publish().isNew == false)
        #expect(reads.files() == [])
        try world.folder.writeBlueprint("es", key: 1)
        #expect(try world.publish().changed == ["blueprints/es.json"])
        #expect(reads.files() == ["es/blueprint.yaml"])
    }
}

/// Sees which files below a folder are read.
private final class ReadWatch {
    private let descriptor: Int32
    private var names: [Int32: String] = [:]

    init(of root: String) throws {
        descriptor = inotify_init1(Int32(IN_NONBLOCK))
        for name in try FileManager.default.subpathsOfDirectory(atPath: root) {
            let path = root + "/" + name
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
            guard isFolder.boolValue else { continue }
            names[inotify_add_watch(descriptor, path, UInt32(IN_ACCESS))] = name
        }
        try #require(!names.isEmpty && names[-1] == nil)
    }

    deinit { close(descriptor) }

    /// The files that were read since the last call.
    func files() -> Set<String> {
        var found: Set<String> = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
            found.formUnion(events(in: buffer.prefix(count)))
        }
        return found
    }

    /// A head of 16 bytes (watch, mask, cookie, length of the name), then the name up to its zeros.
    private func events(in bytes: ArraySlice<UInt8>) -> [String] {
        var found: [String] = []
        var rest = bytes
        while rest.count >= 16 {
            let head = Array(rest.prefix(16))
            let watch = head.withUnsafeBytes { $0.load(as: Int32.self) }
            let mask = head.withUnsafeBytes { $0.load(fromByteOffset: 4, as: UInt32.self) }
            let length = Int(head.withUnsafeBytes { $0.load(fromByteOffset: 12, as: UInt32.self) })
            let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
            rest = rest.dropFirst(16 + length)
            // A folder that is listed is no file that is read.
            guard mask & UInt32(IN_ISDIR) == 0, !name.isEmpty else { continue }
            found.append("\(names[watch] ?? "")/\(String(decoding: name, as: UTF8.self))")
        }
        return found
    }
}
