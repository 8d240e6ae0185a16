import ContentModel
import TestSupport
import Testing

@testable import Publishing

/// What the index says of documents that devices fetch with a release, the manifest says too.
@Suite struct EagerChecksumsTests {
    private func expectSameAsManifest(_ library: Library) throws {
        let manifest = try Manifest(library.folder.read("release/manifest.json"))
        let eager = Set(manifest.eagerDocuments.map(\.checksum))
        let index = try #require(ReleaseIndex(library.folder.read("release/" + ReleaseIndex.path)))
        #expect(try index.units.eagerChecksums() == eager)
        // None of them is stored, as after a rollback.
        #expect(try RecordTable(Array(index.units)).eagerChecksums() == eager)
    }

    @Test func theyAreThoseOfTheManifest() throws {
        let library = try Library(["de", "es"])
        try library.publish()
        try expectSameAsManifest(library)
    }

    @Test func aReleaseWithoutAssetsHasThemToo() throws {
        let library = try Library(["es"])
        for name in ["content/assets", "content/assets.yaml"] { try library.folder.remove(name) }
        try library.publish()
        try expectSameAsManifest(library)
    }

    @Test func oneThatAnUnchangedAndAChangedUnitNameIsThere() throws {
        let library = try Library(["de", "es"])
        try library.publish()
        var index = try #require(ReleaseIndex(library.folder.read("release/" + ReleaseIndex.path)))
        var unit = try #require(index.units[.blueprints, "de"])
        unit.files[0].checksum = Checksum(of: [1])
        index.units[.blueprints, "de"] = unit
        let eager = try index.units.eagerChecksums()
        #expect(eager.contains(Checksum(of: [1])))
        #expect(eager.contains(try #require(index.units[.blueprints, "es"]).files[0].checksum))
    }
}
