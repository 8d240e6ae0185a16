import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// Keys, the files that hold them, and the bytes that they sign.
@Suite struct SigningKeyTests {
    /// Test 1 of RFC 8032, section 7.1, in the form of RFC 8410, section 7.
    private static let pem = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v+WpgmlDK7z5YxexVWMm1n+k3rXWzh+rnpl2t
        -----END PRIVATE KEY-----
        """

    @Test func aKeyOfTheStandardIsReadAndHasItsId() throws {
        let digits = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
        let seed = stride(from: 0, to: 64, by: 2).compactMap { index in
            UInt8(digits.dropFirst(index).prefix(2), radix: 16)
        }
        let prefix: [UInt8] = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]
        let text = Data(prefix + seed).base64EncodedString()
        let key = try #require(
            SigningKey(
                pem: "-----BEGIN PRIVATE KEY-----\r\n\(text)\r\n-----END PRIVATE KEY-----\r\n"))
        #expect(key.id == "74c181c7ad8a0855d4b55e44d2ba87aabdddb196832571f15f92fece332e4916")
        #expect(
            String(decoding: key.publicKey.canonicalBytes, as: UTF8.self)
                == "{\"keytype\":\"ed25519\",\"keyval\":{\"public\":"
                + "\"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a\"},"
                + "\"scheme\":\"ed25519\"}")
        #expect(SigningKey(pem: key.pem)?.id == key.id)
        // The vector of a timestamp that is signed again.
        let expires = Date(timeIntervalSince1970: 1_796_515_200)
        let document = MetadataDocument.timestamp(
            version: 1203, expires: expires, snapshotVersion: 318)
        let file = document.file([try key.sign(document)])
        #expect(file.count == 374)
        #if !canImport(CryptoKit)
        // CryptoKit's signatures of Ed25519 are not the same each time.
        #expect(
            Checksum(of: file).hex
                == "9de907a9c333487fb1995e977ac1b4e3ea350d04407bfd89bd78009ef05ed12f")
        #endif
    }

    @Test(arguments: [
        "", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
        pem.replacing("PRIVATE", with: "PUBLIC"), pem.replacing("MC4CAQ", with: "MC4CAg"),
        pem.replacing("pl2t", with: "pl2"),
        pem.replacing("-----END", with: "AAAA\n-----END"),
    ])
    func anythingElseIsNoKey(text: String) {
        #expect(SigningKey(pem: Self.pem) != nil)
        #expect(SigningKey(pem: text) == nil)
    }

    @Test func aFolderOfKeysIsForItsOwnerAlone() throws {
        let folder = try TemporaryFolder()
        let keys = KeyFolder(folder.path + "/private/keys")
        let drawn = [KeyFolder.draw(for: .root), KeyFolder.draw(for: .root)]
        let sorted = drawn.sorted { $0.name < $1.name }
        let (first, second) = (sorted[0], sorted[1])
        for entry in drawn { try keys.save(entry, apart: []) }
        #expect(first.name == "root-\(first.key.id.prefix(8))" && first.name != second.name)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(keys.path) == 0o700)
        #expect(try mode(keys.path + "/\(first.name).pem") == 0o600)
        #expect(try keys.load(apart: []).map(\.key.id) == [first.key.id, second.key.id])
        #expect(!(try folder.text("private/keys/\(first.name).pub.json")).contains("PRIVATE"))
        let taken = #expect(throws: PublishingError.self) { try keys.save(first, apart: []) }
        #expect(taken?.code == .invalidRequest)
        #expect(try keys.load(apart: []).map(\.key.id) == [first.key.id, second.key.id])
        for (item, loose) in [("/\(second.name).pem", 0o640), ("", 0o755)] {
            try FileManager.default.setAttributes(
                [.posixPermissions: loose], ofItemAtPath: keys.path + item)
            let error = #expect(throws: PublishingError.self) { try keys.load(apart: []) }
            #expect(error?.code == .keyPermissions)
            #expect(error?.message.contains("chmod \(item.isEmpty ? 700 : 600)") == true)
            try FileManager.default.setAttributes(
                [.posixPermissions: item.isEmpty ? 0o700 : 0o600],
                ofItemAtPath: keys.path + item)
        }
        try folder.write("no key", to: "private/keys/other.pem")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: keys.path + "/other.pem")
        #expect(throws: PublishingError.self) { try keys.load(apart: []) }
        // A file in place of the folder, and a link to nothing, are no question of modes.
        for name in ["private/keys/other.pem", "nowhere"] {
            let error = #expect(throws: PublishingError.self) {
                try KeyFolder(folder.path + "/" + name).load(apart: [])
            }
            #expect(error?.code == .unreadable && error?.message.contains("chmod") == false)
        }
    }

    @Test func keysAreKeptApartFromWhatIsPublished() throws {
        let library = try Library(["es"])
        try library.publish()
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let administration = TrustAdministration(releaseDirectory: library.release, now: now)
        let places = [library.content + "/assets/keys", library.release + "/keys", library.release]
        for place in places {
            let error = #expect(throws: PublishingError.self) {
                try administration.begin(
                    keys: KeyFolder(place), plan: .init(), apart: [library.content])
            }
            #expect(error?.code == .invalidRequest)
            #expect(!FileManager.default.fileExists(atPath: library.release + "/metadata"))
        }
        // Keys that come there later are not used, and not published.
        let keys = library.folder.path + "/keys"
        _ = try administration.begin(keys: KeyFolder(keys), plan: .init(), apart: [])
        for place in places.prefix(2) {
            try FileManager.default.createDirectory(
                atPath: URL(filePath: place).deletingLastPathComponent().path,
                withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: keys, toPath: place)
            var publisher = Publisher(folder: library.content, releaseDirectory: library.release)
            publisher.keys = place
            try library.folder.writeBlueprint("es", key: 2)
            let error = #expect(throws: PublishingError.self) {
                try publisher.publish(nowSeconds: 1_800_000_000, generatedAt: "t")
            }
            #expect(error?.code == .invalidRequest, "\(error?.message ?? "")")
            try FileManager.default.removeItem(atPath: place)
        }
        try FileManager.default.copyItem(atPath: keys, toPath: places[1])
        for attempt in [0, 1] {
            let error = #expect(throws: PublishingError.self) {
                if attempt == 0 {
                    try administration.refresh(keys: KeyFolder(places[1]))
                } else {
                    _ = try administration.rotate(
                        .targets, replacing: nil, adds: false, keys: KeyFolder(places[1]))
                }
            }
            #expect(error?.code == .invalidRequest)
        }
    }
}
