import ContentModel
import Foundation
import HTTPTypes
import Publishing
import ServerTestSupport
import TestSupport
import Testing

@testable import ContentServer

/// The real router, without a socket.
@Suite struct RouterTests {
    private let folder: TemporaryFolder
    private let router: InProcessRouter

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeContent()
        router = InProcessRouter(release: folder.path + "/release")
    }

    private func publish(_ seconds: Int = 1_900_000_000) throws {
        _ = try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        )
        .publish(nowSeconds: seconds, generatedAt: "t\(seconds)")
    }

    private func manifest() throws -> Manifest {
        try Manifest(folder.read("release/manifest.json"))
    }

    @Test func withoutAReleaseTheServerIsAliveButNotReady() async throws {
        #expect(try await router.get("/health/live").status == .ok)
        #expect(try await router.get("/health/ready").status == .serviceUnavailable)
        #expect(try await router.get("/api/content/v2/manifest.json").status == .notFound)
        try publish()
        #expect(try await router.get("/health/ready").status == .ok)
    }

    @Test func theManifestIsAskedForEachTimeAndObjectsNever() async throws {
        try publish()
        let answer = try await router.get("/api/content/v2/manifest.json")
        #expect(answer.status == .ok)
        #expect(answer.body == (try folder.read("release/manifest.json")))
        #expect(answer.headers[.cacheControl] == "no-cache")
        #expect(answer.headers[.contentType] == "application/json")
        let checksum = try #require(try manifest().languages["es"]?.blueprint?.checksum)
        let path = "/api/content/v2/objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
        let object = try await router.get(path)
        #expect(Checksum(of: object.body) == checksum)
        #expect(object.headers[.eTag] == "\"\(checksum)\"")
        #expect(object.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(object.headers[.contentType] == "application/json")
    }

    @Test func whatDidNotChangeIsNotSentAgain() async throws {
        try publish()
        let path = "/api/content/v2/manifest.json"
        let tag = try #require(try await router.get(path).headers[.eTag])
        let again = try await router.get(path, [.ifNoneMatch: tag])
        #expect(again.status == .notModified)
        #expect(again.body.isEmpty)
        #expect(again.headers[.eTag] == tag)
    }

    /// Equal size, the same second: a static host could not tell them apart by those.
    @Test func aNewReleaseIsPickedUpAtOnce() async throws {
        try publish()
        let path = "/api/content/v2/blueprints/es.json"
        var tags: Set<String> = []
        for key in [1, 2, 0, 1] {
            try folder.writeBlueprint("es", key: key)
            try publish()
            let answer = try await router.get(path)
            #expect(try Blueprint(released: answer.body).questions[0].correct == [key])
            let manifest = try await router.get("/api/content/v2/manifest.json")
            tags.insert(manifest.headers[.eTag] ?? "")
        }
        #expect(tags.count == 4)
    }

    @Test(arguments: ["gz", "br"])
    func aCompressedFileThatHoldsSomethingElseIsNotServed(ending: String) async throws {
        try publish()
        let accept = ending == "gz" ? "gzip" : "br"
        let stale = try folder.read("release/manifest.json.\(ending)")
        try folder.writeBlueprint("es", key: 1)
        try publish(1_900_000_010)
        try folder.write(stale, to: "release/manifest.json.\(ending)")
        let checksum = try #require(try manifest().languages["es"]?.blueprint?.checksum)
        let object = "objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
        try folder.remove("release/\(object).\(ending)")
        try folder.write(stale, to: "release/\(object).\(ending)")
        for path in ["manifest.json", object, "blueprints/es.json"] {
            let answer = try await router.get("/api/content/v2/" + path, [.acceptEncoding: accept])
            #expect(answer.headers[.contentEncoding] == nil, "\(path)")
            #expect(answer.body == (try folder.read("release/" + path)), "\(path)")
        }
    }

    /// A publish puts them in place after the plain manifest.
    @Test func aCompressedManifestThatComesLaterIsPickedUp() async throws {
        try publish()
        let path = "/api/content/v2/manifest.json"
        let siblings = try ["gz", "br"].map { try folder.read("release/manifest.json.\($0)") }
        for ending in ["gz", "br"] { try folder.remove("release/manifest.json.\(ending)") }
        let bare = try await router.get(path, [.acceptEncoding: "gzip, br"])
        #expect(bare.headers[.contentEncoding] == nil)
        try folder.write(siblings[0], to: "release/manifest.json.gz")
        let gzip = try await router.get(path, [.acceptEncoding: "gzip, br"])
        #expect(gzip.headers[.contentEncoding] == "gzip")
        try folder.write(siblings[1], to: "release/manifest.json.br")
        let brotli = try await router.get(path, [.acceptEncoding: "gzip, br"])
        #expect(brotli.headers[.contentEncoding] == "br")
        #expect(brotli.body == siblings[1])
    }

    @Test func headHasTheLengthAndNoBody() async throws {
        try publish()
        let whole = try await router.get("/api/content/v2/blueprints/es.json")
        let head = try await router.send(.head, "/api/content/v2/blueprints/es.json")
        #expect(head.status == .ok)
        #expect(head.body.isEmpty)
        #expect(head.headers[.contentLength] == "\(whole.body.count)")
        #expect(head.headers[.eTag] == whole.headers[.eTag])
    }

    @Test func partsAreServed() async throws {
        try publish()
        let path = "/api/content/v2/blueprints/es.json"
        let whole = try await router.get(path).body
        let part = try await router.get(path, [.range: "bytes=10-19"])
        #expect(part.status == .partialContent)
        #expect(part.body == Array(whole[10..<20]))
        #expect(part.headers[.contentRange] == "bytes 10-19/\(whole.count)")
        let none = try await router.get(path, [.range: "bytes=999999-"])
        #expect(none.status == .rangeNotSatisfiable)
        #expect(none.headers[.contentRange] == "bytes */\(whole.count)")
    }

    @Test func textIsServedCompressedWhereItIsAccepted() async throws {
        try publish()
        let path = "/api/content/v2/blueprints/es.json"
        for (accept, encoding, file) in [("gzip", "gzip", "gz"), ("gzip, br", "br", "br")] {
            let answer = try await router.get(path, [.acceptEncoding: accept])
            #expect(answer.headers[.contentEncoding] == encoding)
            #expect(answer.headers[.vary] == "accept-encoding")
            #expect(answer.body == (try folder.read("release/blueprints/es.json.\(file)")))
        }
        #expect(try await router.get(path).headers[.contentEncoding] == nil)
    }

    @Test func aFileTooLargeForMemoryIsStreamed() async throws {
        let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try folder.write(large, to: "content/assets/large.bin")
        try publish()
        let path = "/api/content/v2/assets/large.bin"
        #expect(try await router.get(path).body == large)
        let part = try await router.get(path, [.range: "bytes=2999990-"])
        #expect(part.body == Array(large[2_999_990...]))
        #expect(part.status == .partialContent)
    }

    @Test(arguments: [
        "manifest.json/", "../content/underway.yaml", "%2e%2e/content/underway.yaml",
        ".underway/index", "objects", "objects/aa", "objects/aa/bb", "releases/1",
        "releases/01/manifest.json", "releases/1/../../manifest.json",
        "blueprints/../manifest.json",
        "blueprints/xx.json", "blueprints/es.json.gz", "//etc/passwd", "objects/../manifest.json",
    ])
    func whatAReleaseDoesNotHaveIsNotFound(path: String) async throws {
        try publish()
        let answer = try await router.get("/api/content/v2/" + path)
        #expect(answer.status == .notFound)
        #expect(answer.headers[.contentType] == "application/problem+json")
        let problem = try JSONParser.parse(answer.body)
        #expect(problem.member("status")?.value.value == 404)
    }

    @Test func historyIsServed() async throws {
        try publish()
        let answer = try await router.get("/api/content/v2/releases/1/manifest.json")
        #expect(answer.body == (try folder.read("release/manifest.json")))
    }

    @Test func aDamagedObjectIsNeverServed() async throws {
        try publish()
        let checksum = try #require(try manifest().languages["es"]?.blueprint?.checksum)
        let object = "objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
        try folder.remove("release/" + object)
        try folder.write("damaged", to: "release/" + object)
        let answer = try await router.get("/api/content/v2/" + object)
        #expect(answer.status == .internalServerError)
        #expect(!String(decoding: answer.body, as: UTF8.self).contains(folder.path))
    }

    @Test func otherMethodsAndPathsAreRefused() async throws {
        try publish()
        for method in [HTTPRequest.Method.post, .put, .delete] {
            let answer = try await router.send(method, "/api/content/v2/manifest.json")
            #expect(answer.status == .notFound || answer.status == .methodNotAllowed)
        }
        #expect(try await router.get("/").status == .notFound)
    }
}
