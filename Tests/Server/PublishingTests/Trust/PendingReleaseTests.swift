import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// Three authors of whom two must sign, each with a folder of keys of their own.
private final class Authors {
    let library: Library
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    private var seconds = 1_800_000_000

    init() throws {
        library = try Library(["es"])
        try library.publish()
        var plan = TrustAdministration.Plan()
        (plan.authors, plan.threshold) = (3, 2)
        _ = try administration().begin(keys: folder("all"), plan: plan, apart: [])
        let names = try folder("all").load(apart: []).map(\.name)
        let authors = names.filter { $0.hasPrefix("targets") }
        let others = names.filter { $0.hasPrefix("snapshot") || $0.hasPrefix("timestamp") }
        try give("ada", [authors[0]] + others)
        try give("bea", [authors[1]])
        try give("cem", [authors[2]])
        try give("host", others)
        try give("timestamp", names.filter { $0.hasPrefix("timestamp") })
    }

    func administration(days: Double = 0) -> TrustAdministration {
        TrustAdministration(releaseDirectory: library.release, now: now + days * 86_400)
    }

    func folder(_ name: String) -> KeyFolder { KeyFolder(library.folder.path + "/" + name) }

    func keys(_ name: String) throws -> [SigningKey] {
        try folder(name).load(apart: []).map(\.key)
    }

    private func give(_ name: String, _ keys: [String]) throws {
        try FileManager.default.createDirectory(
            atPath: folder(name).path, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        for key in keys {
            try FileManager.default.copyItem(
                atPath: "\(folder("all").path)/\(key).pem",
                toPath: "\(folder(name).path)/\(key).pem")
        }
    }

    func publisher(_ name: String?, leavesPending: Bool = true) -> Publisher {
        var publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        publisher.keys = name.map { folder($0).path }
        publisher.leavesPending = leavesPending
        return publisher
    }

    /// Publishes ten seconds later, so that no two builds have the same time.
    @discardableResult
    func publish(_ name: String?, leavesPending: Bool = true) throws -> PublishSummary {
        seconds += 10
        return try publisher(name, leavesPending: leavesPending)
            .publish(nowSeconds: seconds, generatedAt: "t\(seconds)")
    }

    /// Changes a key and lets the release wait.
    func leavePending(key: Int = 2, _ name: String = "ada") throws {
        try library.folder.writeBlueprint("es", key: key)
        let error = #expect(throws: PublishingError.self) { try publish(name) }
        #expect(error?.code == .isPending, "\(error?.message ?? "")")
    }

    let file = "release/.underway/pending/2.json"

    var pending: PendingRelease {
        get throws { try PendingRelease(library.folder.read(file), path: file) }
    }

    var root: [UInt8] {
        get throws { try library.folder.read("release/metadata/1.root.json") }
    }

    /// An author with a copy of the file and the root that the app pins, and nothing else.
    func review(_ pending: PendingRelease? = nil, days: Double = 0) throws -> PendingReview {
        try PendingReview(
            pending ?? self.pending, against: .root(root), now: now + days * 86_400)
    }

    /// What is served, by path.
    func served() throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: library.release)
        where !path.hasPrefix("objects") && !path.hasPrefix(".underway") {
            // Folders have no bytes.
            files[path] = try? library.folder.read("release/" + path)
        }
        return files
    }

    func expectLive(_ release: Int, key: Int) throws {
        let status = try #require(try administration().status())
        #expect(status.namesCurrentRelease && status.pending == nil)
        #expect(!library.folder.exists("release/.underway/pending"))
        #expect(try library.manifest.release == release)
        let bank = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
        #expect(bank.questions[0].correctOptionIDs == [["a", "b", "c"][key]])
        try library.expectWhole()
    }

    /// The file with one member in another way.
    func tampered(_ member: String, _ change: (JSONValue) -> JSONValue) throws -> [UInt8] {
        let value = try JSONParser.parse(library.folder.read(file)).value
        guard case .object(var members) = value, let former = members[member] else {
            throw CancellationError()
        }
        members[member] = change(former)
        return JSONValue.object(members).canonicalBytes
    }
}

/// A release that waits for signatures of authors on other machines.
@Suite struct PendingReleaseTests {
    private let authors: Authors

    init() throws { authors = try Authors() }

    private var library: Library { authors.library }

    // MARK: Two machines

    @Test func twoAuthorsOnTwoMachinesPublishTogether() throws {
        let before = try authors.served()
        try authors.leavePending()
        #expect(try authors.served() == before)
        var review = try authors.review()
        #expect(review.base == 1 && review.pending.release == 2)
        #expect(review.progress.signed.count == 1 && !review.progress.isReached)
        let change = try #require(review.difference.files.first)
        #expect(review.difference.files.count == 1 && change.path == "blueprints/es.json")
        #expect(
            change.questions.first?.fields == [.init(name: "key", old: "first", new: "third")])
        let waiting = try authors.pending
        let key = try #require(try authors.keys("bea").first)
        #expect(try review.sign(with: [key]) == [key.id])
        #expect(review.progress.isReached && review.pending.id == waiting.id)
        // What comes back may have any name.
        try library.folder.write(
            review.pending.bytes, to: "release/.underway/pending/from-bea.json")
        let summary = try authors.publish("ada")
        #expect(summary.isNew && summary.release == 2)
        #expect(try library.folder.read("release/manifest.json") == waiting.manifest)
        try authors.expectLive(2, key: 2)
    }

    @Test func authorsWhoSignAtTheSameTimeAreBothCounted() throws {
        // Whoever publishes needs no author's key.
        try authors.leavePending("host")
        #expect(try authors.review().progress.signed.isEmpty)
        for name in ["bea", "cem"] {
            var review = try authors.review()
            try review.sign(with: authors.keys(name))
            #expect(review.progress.signed.count == 1)
            try library.folder.write(
                review.pending.bytes, to: "release/.underway/pending/\(name).json")
        }
        #expect(try authors.publish("host").release == 2)
        try authors.expectLive(2, key: 2)
    }

    @Test func anAuthorMaySignWhereTheReleaseIs() throws {
        try authors.leavePending()
        var review = try PendingReview(
            authors.pending, against: .release(library.release), now: authors.now)
        try review.sign(with: authors.keys("cem"))
        try library.folder.write(review.pending.bytes, to: authors.file)
        #expect(try authors.publish("ada").release == 2)
        try authors.expectLive(2, key: 2)
    }

    @Test func eachPublishAddsTheKeysAtHand() throws {
        try authors.leavePending("host")
        let error = #expect(throws: PublishingError.self) { try authors.publish("bea") }
        #expect(error?.code == .isPending)
        #expect(error?.message.contains("snapshot and timestamp") == true)
        #expect(try authors.review().progress.signed.count == 1)
        #expect(try authors.publish("ada").release == 2)
        try authors.expectLive(2, key: 2)
    }

    @Test func itSaysWhatIsMissingAndWhoDoesWhat() throws {
        try library.folder.writeBlueprint("es", key: 1)
        let error = #expect(throws: PublishingError.self) { try authors.publish("ada") }
        let message = error?.message ?? ""
        let missing = try authors.keys("bea") + authors.keys("cem")
        let ids = missing.map { String($0.id.prefix(12)) }
        for part in ["1 of 2", "trust sign 2.json --keys", authors.file] + ids {
            #expect(message.contains(part), "\(message)")
        }
        let pending = try #require(try authors.administration().status()?.pending)
        let ada = try authors.keys("ada").map(\.id)
        #expect(pending.progress.signed.count == 1 && ada.contains(pending.progress.signed[0]))
        #expect(Set(pending.progress.unsigned) == Set(missing.map(\.id)))
        #expect(pending.progress.threshold == 2 && pending.file.hasSuffix(authors.file))
    }

    @Test func aRollbackWaitsToo() throws {
        try library.folder.writeBlueprint("es", key: 2)
        try authors.publish("all")
        for isLast in [false, true] {
            let publisher = authors.publisher(isLast ? "all" : "ada")
            let roll = {
                try publisher.rollback(
                    to: 1, nowSeconds: 1_800_000_100 + (isLast ? 10 : 0),
                    generatedAt: isLast ? "later" : "t")
            }
            guard isLast else {
                let error = #expect(throws: PublishingError.self) { try roll() }
                #expect(error?.code == .isPending)
                continue
            }
            #expect(try roll().release == 3)
        }
        #expect(try library.manifest.generatedAt == "t")
        try authors.expectLive(3, key: 0)
    }

    // MARK: Too few, and others

    @Test func withoutAKeyOfTheReleaseNothingWaits() throws {
        try library.folder.writeBlueprint("es", key: 2)
        let stranger = KeyFolder.draw(for: .targets)
        try authors.folder("stranger").save(stranger, apart: [])
        for name in [nil, "stranger"] {
            let error = #expect(throws: PublishingError.self) { try authors.publish(name) }
            #expect(error?.code == .needsSignatures)
            #expect(!library.folder.exists("release/.underway/pending"))
        }
        // Nor for a program that does not ask for it.
        let error = #expect(throws: PublishingError.self) {
            try authors.publish("ada", leavesPending: false)
        }
        #expect(error?.code == .needsSignatures)
        #expect(!library.folder.exists("release/.underway/pending"))
    }

    @Test func onlyAnAuthorOfThePresentRootSigns() throws {
        try authors.leavePending()
        let before = try authors.pending.bytes
        var review = try authors.review()
        for keys in [[KeyFolder.draw(for: .targets).key], try authors.keys("host"), []] {
            let error = #expect(throws: PublishingError.self) { try review.sign(with: keys) }
            #expect(error?.code == .needsSignatures)
            #expect(review.pending.bytes == before)
        }
        // Whoever has signed adds nothing.
        #expect(try review.sign(with: authors.keys("ada")).isEmpty)
        #expect(review.pending.bytes == before)
    }

    @Test func oneSignatureTooFewStillWaits() throws {
        try authors.leavePending()
        let before = try authors.served()
        let error = #expect(throws: PublishingError.self) { try authors.publish("ada") }
        #expect(error?.code == .isPending)
        #expect(try authors.served() == before)
        let other = #expect(throws: PublishingError.self) {
            try authors.publish("ada", leavesPending: false)
        }
        #expect(other?.code == .needsSignatures)
        #expect(try authors.served() == before)
    }

    @Test func aKeyThatWasReplacedCountsNoMore() throws {
        try authors.leavePending()
        var review = try authors.review()
        try review.sign(with: authors.keys("bea"))
        try library.folder.write(review.pending.bytes, to: authors.file)
        let gone = try #require(try authors.keys("bea").first?.id)
        _ = try authors.administration().rotate(
            .targets, replacing: gone, adds: false, keys: authors.folder("all"))
        let before = try authors.served()
        let error = #expect(throws: PublishingError.self) { try authors.publish("ada") }
        #expect(error?.code == .isPending)
        #expect(error?.message.contains("1 of 2") == true)
        #expect(try authors.served() == before)
        var late = try PendingReview(
            authors.pending, against: .release(library.release), now: authors.now)
        let bea = try authors.keys("bea")
        #expect(throws: PublishingError.self) { try late.sign(with: bea) }
        try late.sign(with: authors.keys("cem"))
        try library.folder.write(late.pending.bytes, to: authors.file)
        #expect(try authors.publish("ada").release == 2)
        try authors.expectLive(2, key: 2)
    }

    // MARK: Stale

    @Test func changedContentMakesItStaleAndBroughtBackFinishesIt() throws {
        try authors.leavePending(key: 1)
        let before = try authors.served()
        for key in [2, 0] {
            try library.folder.writeBlueprint("es", key: key)
            let error = #expect(throws: PublishingError.self) { try authors.publish("all") }
            #expect(error?.code == .pendingIsStale, "\(key)")
            #expect(error?.message.contains("trust discard") == true)
            #expect(try authors.served() == before)
        }
        try library.folder.writeBlueprint("es", key: 1)
        #expect(try authors.publish("all").release == 2)
        try authors.expectLive(2, key: 1)
    }

    @Test func aReleaseThatIsDroppedMakesRoomForAnother() throws {
        try authors.leavePending(key: 1)
        #expect(try authors.administration().discardPending() == 2)
        let error = #expect(throws: PublishingError.self) {
            try authors.administration().discardPending()
        }
        #expect(error?.code == .noSuchRelease)
        try authors.leavePending(key: 2)
        #expect(try authors.publish("all").release == 2)
        try authors.expectLive(2, key: 2)
    }

    @Test func signaturesThatExpireFirstMakeItStale() throws {
        try authors.leavePending()
        let error = #expect(throws: PublishingError.self) { try authors.review(days: 400) }
        #expect(error?.code == .pendingIsStale)
        // As the review of a file from before the current release.
        let old = try authors.pending
        try authors.publish("all")
        let late = #expect(throws: PublishingError.self) {
            try PendingReview(old, against: .release(library.release), now: authors.now)
        }
        #expect(late?.code == .pendingIsStale)
    }

    /// Without an edit for a year, authors on several machines renew their signatures all the same.
    @Test(arguments: [310.0, 400])
    func signaturesThatExpireSoonAreRenewedByAll(days: Double) throws {
        let seconds = 1_800_000_000 + Int(days * 86_400)
        func publish(_ name: String) throws -> PublishSummary {
            try authors.publisher(name).publish(nowSeconds: seconds, generatedAt: "t")
        }
        let content = try library.manifest.languages
        let error = #expect(throws: PublishingError.self) { try publish("ada") }
        #expect(error?.code == .isPending, "\(error?.message ?? "")")
        let again = #expect(throws: PublishingError.self) { try publish("ada") }
        #expect(again?.code == .isPending, "\(again?.message ?? "")")
        var review = try authors.review(days: days)
        #expect(review.difference.files.isEmpty)
        #expect((review.baseExpired != nil) == (days > 365))
        try review.sign(with: authors.keys("bea"))
        try library.folder.write(review.pending.bytes, to: authors.file)
        #expect(try publish("ada").release == 2)
        #expect(try library.manifest.languages == content)
        let targets = try authors.administration(days: days).status()?.roles
            .first { $0.role == .targets }
        #expect(targets?.needsAttention == false, "\(String(describing: targets))")
        #expect(try !publish("ada").isNew)
    }

    // MARK: Forged files

    @Test func aFileThatIsNoPendingReleaseIsRefused() throws {
        try authors.leavePending()
        let long = String(repeating: "x", count: TrustLimits.rootBytesMax + 1)
        let name = String(repeating: "a", count: 64)
        let files: [[UInt8]] = [
            [], Array("{}".utf8), Array("[1]".utf8), Array("{\"format\":1}".utf8),
            Array(try library.folder.read(authors.file).dropLast()),
            try authors.tampered("format") { _ in 2 },
            try authors.tampered("version") { _ in 0 },
            try authors.tampered("version") { _ in .integer(1 << 40) },
            try authors.tampered("expiryDay") { _ in "20000" },
            try authors.tampered("manifest") { _ in "{}" },
            try authors.tampered("roots") { _ in [.string(long)] },
            try authors.tampered("documents") { _ in ["../../manifest": "{}"] },
            try authors.tampered("documents") { _ in .object([name: "another text"]) },
            try authors.tampered("signatures") { _ in ["../x": "00"] },
            try authors.tampered("signatures") { _ in .object([name: "00"]) },
        ]
        for (position, bytes) in files.enumerated() {
            let error = #expect(throws: PublishingError.self, "\(position)") {
                try PendingRelease(bytes, path: "file")
            }
            #expect(error?.code == .unreadable, "\(position)")
        }
    }

    /// What comes back with more than signatures is never published, whatever it says.
    @Test(arguments: [
        "baseManifest", "baseTargets", "documents", "expiryDay", "manifest", "roots", "version",
    ])
    func aCopyThatDiffersInAnythingButSignaturesIsRefused(member: String) throws {
        try authors.leavePending()
        var other = try Manifest(authors.pending.manifest)
        other.generatedAt = "2040-01-01T00:00:00Z"
        let forged = try authors.tampered(member) { former in
            switch former {
            case .integer(let number): .integer(number + 1)
            case .array: []
            case .object: [:]
            default: .string(String(decoding: other.canonicalBytes, as: UTF8.self))
            }
        }
        let before = try authors.served()
        for name in ["2.json", "copy.json"] {
            let own = try library.folder.read(authors.file)
            try library.folder.write(forged, to: "release/.underway/pending/" + name)
            let error = #expect(throws: PublishingError.self) { try authors.publish("all") }
            #expect(error?.code == .unreadable && error?.message.contains(name) == true)
            #expect(try authors.served() == before)
            try library.folder.write(own, to: authors.file)
        }
        try library.folder.remove("release/.underway/pending/copy.json")
        #expect(try authors.publish("all").release == 2)
    }

    /// A thief on the way to another author cannot hide a change by another release before.
    @Test func theReleaseBeforeIsTheOneThatAuthorsHaveSigned() throws {
        try authors.leavePending()
        // The new release as if it were the current one: nothing would be seen to change.
        let pending = try authors.pending
        let manifest = JSONValue.string(String(decoding: pending.manifest, as: UTF8.self))
        let forged = try PendingRelease(
            authors.tampered("baseManifest") { _ in manifest }, path: "file")
        let error = #expect(throws: PublishingError.self) { try authors.review(forged) }
        #expect(error?.code == .pendingIsStale)
        let unsigned = try PendingRelease(
            authors.tampered("baseTargets") { _ in "{}" }, path: "file")
        let other = #expect(throws: PublishingError.self) { try authors.review(unsigned) }
        #expect(other?.code == .needsSignatures)
    }

    /// Neither an author elsewhere nor the publisher makes signatures that outlast or outrun all others.
    @Test(arguments: ["expiryDay", "version"])
    func signaturesAreNoStrongerThanThoseOfAPublish(member: String) throws {
        try authors.leavePending()
        let bytes = try authors.tampered(member) { former in
            guard case .integer(let number) = former else { return former }
            return .integer(number + 100_000)
        }
        let forged = try PendingRelease(bytes, path: "file")
        let error = #expect(throws: PublishingError.self) { try authors.review(forged) }
        #expect(error?.code == .pendingIsStale)
        // A thief who can write to the release directory.
        let before = try authors.served()
        try PendingFolder(of: ReleaseDirectory(root: library.release)).save(forged, isNew: true)
        let other = #expect(throws: PublishingError.self) { try authors.publish("all") }
        #expect(other?.code == .pendingIsStale)
        #expect(try authors.served() == before)
    }

    /// A root of somebody else in the file does not count, and no other root leads there.
    @Test func theRootComesFromTheReader() throws {
        try authors.leavePending()
        let stranger = try Authors()
        let error = #expect(throws: PublishingError.self) {
            try PendingReview(
                authors.pending, against: .root(stranger.root), now: authors.now)
        }
        #expect(error?.code == .needsSignatures)
    }

    @Test func aDocumentThatNobodyCanSeeIsNotSigned() throws {
        try authors.leavePending()
        let hidden = try PendingRelease(authors.tampered("documents") { _ in [:] }, path: "file")
        let error = #expect(throws: PublishingError.self) { try authors.review(hidden) }
        #expect(error?.code == .unreadable)
        #expect(error?.message.contains("--release") == true)
        // Where the release directory is, everything is there.
        _ = try PendingReview(hidden, against: .release(library.release), now: authors.now)
    }

    @Test func whatAManifestSaysBesideItsFilesIsShown() throws {
        try library.folder.write(
            "name: Test\nannouncements: { languages: [en] }\n"
                + "contentBaseUrl: https://other.example.org/x\n", to: "content/underway.yaml")
        try library.folder.write("later.bin: eager\n", to: "content/assets.yaml")
        try library.folder.write(
            "{\"start\": \"other\"}", to: "content/languages/es/localization.json")
        try library.folder.write(Array("other".utf8), to: "content/assets/later.bin")
        let error = #expect(throws: PublishingError.self) { try authors.publish("ada") }
        #expect(error?.code == .isPending, "\(error?.message ?? "")")
        let files = try authors.review().difference.files
        func fields(_ path: String) -> [ReleaseDiff.FieldChange] {
            files.first { $0.path == path }?.questions.flatMap(\.fields) ?? []
        }
        let manifest = fields("manifest.json")
        #expect(manifest.contains { $0.name == "contentBaseUrl" && $0.new.contains("other") })
        #expect(manifest.contains { $0.name == "assets.later.bin.class" && $0.new == "eager" })
        #expect(
            fields("localizations/es.json") == [.init(name: "start", old: "es", new: "other")])
        #expect(fields("assets/later.bin").map(\.name) == ["sha256"])
    }

    @Test func whatChangesInAnAnnouncementIsShownByItself() throws {
        func write(_ link: String) throws {
            for number in 1...2 {
                try library.folder.write(
                    """
                    identifier: \(number)
                    type: website
                    start: 2026-0\(number)-01T00:00:00Z
                    end: 2026-0\(number)-20T00:00:00Z
                    link: https://\(number == 2 ? link : "example.org")/x
                    texts: { en: { title: "T\(number)", content: B, buttons: { open: Read } } }

                    """, to: "content/announcements/\(number).yaml")
            }
        }
        try write("example.org")
        try authors.publish("all")
        try write("examp1e.org")
        let error = #expect(throws: PublishingError.self) { try authors.publish("ada") }
        #expect(error?.code == .isPending, "\(error?.message ?? "")")
        let file = "release/.underway/pending/3.json"
        let review = try PendingReview(
            PendingRelease(library.folder.read(file), path: file),
            against: .root(authors.root), now: authors.now)
        let fields = review.difference.files.first { $0.path.contains("announcements") }?.questions
            .flatMap(\.fields)
        #expect(fields?.count == 1, "\(String(describing: fields))")
        #expect(fields?.first?.name.contains("[2]") == true)
        #expect(fields?.first?.new == "https://examp1e.org/x")
    }

    @Test func whatCannotBeFinishedAnyMoreIsNamed() throws {
        try authors.leavePending()
        #expect(try authors.administration().status()?.pending?.isStale == false)
        // The authors' signatures are renewed meanwhile.
        _ = try authors.administration(days: 310).refresh(keys: authors.folder("all"))
        let stale = try #require(try authors.administration().status()?.pending)
        let error = #expect(throws: PublishingError.self) { try authors.publish("all") }
        #expect(stale.isStale && error?.code == .pendingIsStale)
        #expect(stale.advice.contains("trust discard"))
        try library.folder.write(Array("{}".utf8), to: "release/.underway/pending/junk.json")
        let status = try #require(try authors.administration().status())
        #expect(status.pendingProblem?.contains("junk.json") == true && status.roles.count == 4)
        #expect(status.needsAttention)
    }

    /// A document that cannot be read as members is not shown as their removal.
    @Test func aDocumentWithTooManyValuesIsShownByItsChecksum() throws {
        let numbers = Array(repeating: "1", count: TrustLimits.valuesMax).joined(separator: ",")
        try library.folder.write("{\"goal\": [\(numbers)]}", to: "content/assets/links.json")
        let error = #expect(throws: PublishingError.self) { try authors.publish("ada") }
        #expect(error?.code == .isPending, "\(error?.message ?? "")")
        let change = try authors.review().difference.files.first { $0.path == "assets/links.json" }
        #expect(change?.questions.flatMap(\.fields).map(\.name) == ["sha256"])
    }

    /// What nobody could read is not left there to be signed.
    @Test func aReleaseOfTooManyPartsDoesNotWait() throws {
        try authors.leavePending()
        var large = try authors.pending
        large.add(
            (0..<20_000).map { number in
                .init(
                    keyID: Checksum(of: Array("\(number)".utf8)).hex,
                    bytes: Array(repeating: 0, count: 64))
            })
        let folder = PendingFolder(of: ReleaseDirectory(root: library.release))
        let error = #expect(throws: PublishingError.self) { try folder.save(large, isNew: true) }
        #expect(error?.code == .unwritable)
        #expect(try authors.publish("all").release == 2)
    }

    /// The file with another manifest, as from a publisher's machine that somebody has taken over.
    private func forged(_ change: (inout Manifest) -> Void) throws -> PendingRelease {
        var manifest = try Manifest(authors.pending.manifest)
        change(&manifest)
        let text = String(decoding: manifest.canonicalBytes, as: UTF8.self)
        return try PendingRelease(
            authors.tampered("manifest") { _ in .string(text) }, path: "file")
    }

    private func refusal(_ pending: PendingRelease) throws -> String {
        let error = #expect(throws: PublishingError.self) { try authors.review(pending) }
        return error?.message ?? ""
    }

    /// The others would get a release that nobody has looked at.
    @Test func aRolloutLeadsToNoReleaseThatIsNotShown() throws {
        try authors.leavePending()
        let base = try library.folder.read("release/manifest.json")
        let right = Rollout(
            since: 2, percent: 0,
            previous: .init(release: 1, manifest: Checksum(of: base), size: base.count))
        let review = try authors.review(forged { $0.rollout = right })
        let shown = review.difference.files.first?.questions.first?.fields.first
        #expect(
            shown?.new
                == "Release 2 goes to 0 % of the devices; the others have release 1.")
        #expect(shown?.old == "Release 1 goes to every device.")
        let wrong: [(inout Rollout) -> Void] = [
            { $0.previous.manifest = Checksum(of: [9]) }, { $0.previous.size += 1 },
            {
                $0.since = 3; $0.previous.release = 2
            },
        ]
        for (number, change) in wrong.enumerated() {
            var rollout = right
            change(&rollout)
            let message = try refusal(forged { $0.rollout = rollout })
            #expect(message.contains("not the one before"), "\(number): \(message)")
        }
    }

    @Test func nothingIsSignedThatIsNotShown() throws {
        try authors.leavePending()
        let other = Checksum(of: [9])
        let twice = try forged { manifest in
            manifest.languages["es"]?.audio = FileList(files: [
                .init(name: "a.m4a", checksum: other, size: 1),
                .init(name: "a.m4a", checksum: Checksum(of: [8]), size: 1),
            ])
        }
        #expect(try refusal(twice).contains("two files with the same name"))
        let later = try PendingRelease(
            authors.tampered("manifest") { value in
                guard case .string(let text) = value else { return .null }
                return .string(text.dropLast() + ",\"zukunft\":{\"contentBaseUrl\":\"x\"}}")
            }, path: "file")
        #expect(try refusal(later).contains("does not know"))
    }

    @Test func anotherOrderOfQuestionsIsShown() throws {
        let file = "content/languages/es/blueprint.yaml"
        let text = String(decoding: try library.folder.read(file), as: UTF8.self)
        let parts = text.components(separatedBy: "  - id: ")
        #expect(parts.count == 4)
        try library.folder.write(
            [parts[0], parts[2], parts[1], parts[3]].joined(separator: "  - id: "), to: file)
        let error = #expect(throws: PublishingError.self) { try authors.publish("ada") }
        #expect(error?.code == .isPending, "\(error?.message ?? "")")
        let fields = try authors.review().difference.files.flatMap(\.questions).flatMap(\.fields)
        #expect(
            fields == [.init(name: "order", old: "es-1, es-2, es-3", new: "es-2, es-1, es-3")])
    }

    @Test func theFeedbackOfAnOptionIsShown() throws {
        let file = "content/languages/es/blueprint.yaml"
        let text = String(decoding: try library.folder.read(file), as: UTF8.self)
        try library.folder.write(
            text.replacing("text: first }", with: "text: first, feedback: Look again }"), to: file)
        let error = #expect(throws: PublishingError.self) { try authors.publish("ada") }
        #expect(error?.code == .isPending, "\(error?.message ?? "")")
        let fields = try authors.review().difference.files.flatMap(\.questions).flatMap(\.fields)
        #expect(fields.contains { $0.name == "feedback" && $0.new == "a: Look again" }, "\(fields)")
    }

    @Test func aWrongSignatureTakesNoPlaceOfARightOne() throws {
        try authors.leavePending()
        try sign("bea")
        let junk = try authors.tampered("signatures") { value in
            guard case .object(let signatures) = value else { return .null }
            return .object(
                signatures.mapValues { _ in .string(String(repeating: "0", count: 128)) })
        }
        for name in ["1.json", "zz.json"] {
            try library.folder.write(junk, to: "release/.underway/pending/" + name)
        }
        try authors.publish("ada")
        try authors.expectLive(2, key: 2)
    }

    @Test func whatLiesBehindALinkIsNotDiscarded() throws {
        try authors.leavePending()
        let folder = library.release + "/.underway/pending"
        try FileManager.default.moveItem(
            atPath: folder, toPath: library.folder.path + "/elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: folder, withDestinationPath: library.folder.path + "/elsewhere")
        let error = #expect(throws: PublishingError.self) {
            try authors.administration().discardPending()
        }
        #expect(error?.code == .invalidRequest)
        #expect(
            library.folder.exists("elsewhere/2.json") && library.folder.exists("elsewhere/2.id"))
    }

    /// The same command finishes what waits: what the file says of devices is not believed.
    @Test func aRolloutThatWaitsIsFinishedByTheSameCommand() throws {
        try library.folder.writeBlueprint("es", key: 2)
        var publisher = authors.publisher("ada")
        publisher.rollout = .set(percent: 10)
        let begun = #expect(throws: PublishingError.self) {
            try publisher.publish(nowSeconds: 1_800_000_010, generatedAt: "x")
        }
        #expect(begun?.code == .isPending)
        try sign("bea")
        let other = #expect(throws: PublishingError.self) { try authors.publish("ada") }
        #expect(other?.code == .pendingIsStale && other?.message.contains("--rollout") == true)
        #expect(
            try publisher.publish(nowSeconds: 1_800_000_020, generatedAt: "z").rollout?.percent
                == 10)
        try authors.expectLive(2, key: 2)
        func widen() throws -> PublishSummary {
            try authors.publisher("ada").changeRollout(
                .set(percent: 100), nowSeconds: 1_800_000_030, generatedAt: "y")
        }
        let wider = #expect(throws: PublishingError.self) { try widen() }
        #expect(wider?.code == .isPending)
        try sign("bea", "release/.underway/pending/3.json")
        #expect(try widen().rollout == nil)
        try authors.expectLive(3, key: 2)
        #expect(try library.manifest.rollout == nil)
    }

    private func sign(_ name: String, _ file: String? = nil) throws {
        let file = file ?? authors.file
        var review = try PendingReview(
            PendingRelease(library.folder.read(file), path: file),
            against: .root(authors.root), now: authors.now)
        try review.sign(with: authors.keys(name))
        try library.folder.write(review.pending.bytes, to: file)
    }

    @Test func aChangeOfKeysSaysThatItNeedsTheRoot() throws {
        let error = #expect(throws: PublishingError.self) {
            try authors.administration().rotate(
                .timestamp, replacing: nil, adds: false, keys: authors.folder("ada"))
        }
        #expect(error?.code == .needsSignatures)
        #expect(error?.message.contains("too few root keys") == true)
    }

    // MARK: Stopped on the way

    @Test func aPublishThatWasKilledBeforeItsManifestIsFinished() throws {
        try authors.leavePending()
        let pending = try authors.pending
        try library.folder.write(pending.manifest, to: "release/releases/2/manifest.json")
        #expect(try authors.publish("all").release == 2)
        #expect(try library.folder.read("release/manifest.json") == pending.manifest)
        try authors.expectLive(2, key: 2)
    }

    @Test func aPublishThatWasKilledBeforeItsTimestampIsFinished() throws {
        try authors.leavePending()
        var review = try authors.review()
        try review.sign(with: authors.keys("bea"))
        try library.folder.write(review.pending.bytes, to: authors.file)
        let (release, before) = (library.release, library.folder.path + "/before")
        try FileManager.default.copyItem(atPath: release, toPath: before)
        try authors.publish("ada")
        for part in ["targets", "changes", ".underway/pending", "metadata/timestamp.json"] {
            try? FileManager.default.removeItem(atPath: release + "/" + part)
            try FileManager.default.copyItem(
                atPath: before + "/" + part, toPath: release + "/" + part)
        }
        #expect(try authors.administration().status()?.namesCurrentRelease == false)
        // The signatures of both are still there.
        // Only a publish that ends is remembered.
        try library.folder.remove("content/.underway-published")
        let summary = try authors.publish("host")
        #expect(summary.isNew && summary.release == 2)
        #expect(try library.folder.read("release/manifest.json") == review.pending.manifest)
        try authors.expectLive(2, key: 2)
    }

    @Test func oneThatIsLiveAlreadyIsForgotten() throws {
        try authors.leavePending()
        let before = library.folder.path + "/before"
        try FileManager.default.copyItem(
            atPath: library.release + "/.underway/pending", toPath: before)
        try authors.publish("all")
        try FileManager.default.copyItem(
            atPath: before, toPath: library.release + "/.underway/pending")
        #expect(try authors.administration().status()?.pending == nil)
        #expect(try !authors.publish("ada").isNew)
        try authors.expectLive(2, key: 2)
    }

    /// As a kill between the identity and the file leaves it, or between the removals of both.
    @Test func halfOfItStandsForNothing() throws {
        for part in ["2.json", "2.id"] {
            try authors.leavePending()
            try library.folder.remove("release/.underway/pending/" + part)
            #expect(try authors.administration().status()?.pending == nil)
        }
        try authors.leavePending()
        #expect(try authors.publish("all").release == 2)
        try authors.expectLive(2, key: 2)
    }

    @Test func aLinkInThePlaceOfTheFolderIsNotFollowed() throws {
        let elsewhere = library.folder.path + "/elsewhere"
        try FileManager.default.createDirectory(
            atPath: elsewhere, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: library.release + "/.underway/pending", withDestinationPath: elsewhere)
        try library.folder.writeBlueprint("es", key: 2)
        let error = #expect(throws: PublishingError.self) { try authors.publish("ada") }
        #expect(error?.code == .invalidRequest)
        #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    }

    // MARK: The timestamp's key on a server

    @Test func aServerSignsTheTimestampOnceADay() throws {
        let key = try #require(try authors.keys("timestamp").first)
        func renew(_ days: Double) throws -> (until: Date, isSigned: Bool) {
            try authors.administration(days: days).renewTimestamp(with: key)
        }
        #expect(try !renew(0).isSigned)
        let days = [1.0, 1.01, 2, 2.2, 12, 14.5].map { ($0, try? renew($0)) }
        #expect(days.map { $0.1?.isSigned } == [true, false, true, false, true, true])
        let status = try #require(try authors.administration(days: 14.5).status())
        #expect(!status.needsAttention && status.roles[1].expires == days.last?.1?.until)
    }

    @Test func aKeyThatSignsNoTimestampIsRefusedAtTheStart() throws {
        let key = try #require(try authors.keys("timestamp").first)
        try authors.administration().checkTimestampKey(key)
        for other in try authors.keys("bea") + [KeyFolder.draw(for: .timestamp).key] {
            let error = #expect(throws: PublishingError.self) {
                try authors.administration().checkTimestampKey(other)
            }
            #expect(error?.code == .needsSignatures)
            #expect(throws: PublishingError.self) {
                try authors.administration(days: 2).renewTimestamp(with: other)
            }
        }
        #expect(try authors.administration(days: 1).renewTimestamp(with: key).isSigned)
    }

    @Test func aKeyIsReadFromAPrivateFileApart() throws {
        let folder = authors.folder("timestamp").path
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).first)
        let file = folder + "/" + name
        #expect(try KeyFolder.key(at: file, apart: []).id == authors.keys("timestamp")[0].id)
        let inside = #expect(throws: PublishingError.self) {
            try KeyFolder.key(at: file, apart: [library.folder.path])
        }
        #expect(inside?.code == .invalidRequest)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let loose = #expect(throws: PublishingError.self) {
            try KeyFolder.key(at: file, apart: [])
        }
        #expect(loose?.code == .keyPermissions)
    }
}
