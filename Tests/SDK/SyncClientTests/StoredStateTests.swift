import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI
import TestSupport
import Testing

@testable import SyncClient

/// What a device stores between two runs.
@Suite struct StoredStateTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    // MARK: The schedule

    private var schedule: SyncSchedule {
        var schedule = SyncSchedule(
            nextCheck: now, nextFullSync: now + 0.5, validator: "\"a\"",
            manifest: Checksum(of: [1]), origin: "https://host/a", seenAt: now - 3)
        schedule.asked = "https://other"
        schedule.problem = SyncError(.offline, "no network")
        return schedule
    }

    @Test func aScheduleComesBackWhole() {
        #expect(SyncSchedule(text: schedule.text) == schedule)
        #expect(SyncSchedule(text: SyncSchedule().text) == SyncSchedule())
    }

    /// A host chooses tags, and a system's message may have several lines.
    @Test func noFieldCanSpoilAnother() {
        var odd = schedule
        odd.validator = "\"a\tb\""
        odd.problem = SyncError(.serverError, "first line\nsecond\tline\u{7}!")
        var expected = schedule
        expected.validator = nil
        expected.problem = SyncError(.serverError, "first line second line !")
        #expect(SyncSchedule(text: odd.text) == expected)
    }

    @Test func aScheduleOfAnotherVersionIsDueAtOnce() {
        let later = schedule.text.replacing("\"version\":1", with: "\"version\":2")
        #expect(later != schedule.text && SyncSchedule(text: later) == SyncSchedule())
        for text in ["", "damaged", "{}", "1.0\t2.0\t\"e\""] {
            #expect(SyncSchedule(text: text) == SyncSchedule())
        }
    }

    /// A clock that was put back must not stop the checks for years.
    @Test func aPlanFurtherOffThanAnyPlanIsDue() {
        func isDue(_ wait: TimeInterval?) -> Bool {
            SyncSchedule.isDue(wait.map { now + $0 }, now: now, longestWait: 100)
        }
        #expect(isDue(nil) && isDue(-1) && isDue(0) && isDue(101))
        #expect(!isDue(1) && !isDue(100))
    }

    // MARK: A manifest that broke off

    @Test func aPartialManifestComesBackFromItsFile() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "partial")
        // The first line ends the head; those of the manifest are its own.
        let bytes = Array("{\n\"release\": 1\n".utf8)
        for length in [900, nil] {
            let partial = try #require(
                ManifestPartial(entityTag: "\"a\"", length: length, since: now, bytes: bytes))
            partial.save(to: file)
            #expect(ManifestPartial(file) == partial)
        }
        ManifestPartial.discard(file)
        #expect(ManifestPartial(file) == nil)
        try Data("no line".utf8).write(to: file)
        #expect(ManifestPartial(file) == nil)
    }

    /// Without a strong tag the rest may be of another manifest (RFC 9110, section 8.8.3).
    @Test(arguments: [nil, "", "\"\"", "W/\"a\"", "a", "\"a\tb\"", "*"])
    func withoutAStrongTagNothingIsResumed(tag: String?) {
        #expect(ManifestPartial(entityTag: tag, since: now, bytes: [1]) == nil)
        #expect(ManifestPartial(entityTag: "\"a\"", since: now, bytes: []) == nil)
    }

    @Test func theRestFitsByLengthAndIsFreshForAMinute() throws {
        let partial = try #require(
            ManifestPartial(entityTag: "\"a\"", length: 900, since: now, bytes: [1]))
        #expect(partial.fits(900) && partial.fits(nil) && !partial.fits(901))
        #expect(partial.isFresh(now: now) && partial.isFresh(now: now + 60))
        #expect(!partial.isFresh(now: now + 61) && !partial.isFresh(now: now - 1))
        let unmeasured = try #require(ManifestPartial(entityTag: "\"a\"", since: now, bytes: [1]))
        #expect(unmeasured.fits(7))
    }

    // MARK: Tokens

    private func client(_ address: URL) -> ServiceClient {
        ServiceClient(transport: HTTPTransport(), serverURL: address, deadline: .seconds(1))
    }

    @Test func tokensStayWithTheServerThatIssuedThem() throws {
        let tokens = AccountBody.Tokens(
            user: "u", accessToken: "a-SECRET", refreshToken: "r-SECRET")
        let home = client("https://Host.example/api")
        let stored = try BoundTokens(tokens, from: home).stored
        let read = try BoundTokens(stored: stored)
        #expect(read.tokens == tokens)
        try read.check(home)
        try read.check(client("https://host.example:443"))
        for address in [
            "http://host.example", "https://host.example:8443", "https://example",
        ] as [URL] {
            let error = #expect(throws: ServiceError.self) { try read.check(client(address)) }
            #expect(error?.code == .otherServer && error?.message.contains("SECRET") == false)
        }
    }

    @Test func tokensWithoutAnIssuerAreDamaged() throws {
        let tokens = AccountBody.Tokens(user: "u", accessToken: "a", refreshToken: "r")
        for stored in [try JSONEncoder().encode(tokens), Data("{}".utf8)] {
            #expect(throws: DecodingError.self) { try BoundTokens(stored: stored) }
        }
    }

    // MARK: Secrets

    @Test func aSecretIsPrivateReplacedAndRemoved() throws {
        let folder = try TemporaryFolder()
        let place = folder.url.appending(path: "secrets")
        let secrets = try FileSecretStore(folder: place)
        for name in ["token", "../token", "a/b", ""] where !name.isEmpty {
            try secrets.set(name, Data("old".utf8))
            try secrets.set(name, Data(name.utf8))
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: place.path)
        #expect(files.count == 3, "no name leaves the folder, and nothing is left beside")
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: place.appending(path: file).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        let again = try FileSecretStore(folder: place)
        #expect(try again.secret("a/b") == Data("a/b".utf8))
        try again.set("a/b", nil)
        try again.set("a/b", nil)
        #expect(try again.secret("a/b") == nil)
        #expect(try again.secret("../token") == Data("../token".utf8))
    }

    @Test func aFolderThatIsAFileIsNamed() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "secrets")
        let place = folder.url.appending(path: "secrets")
        let error = #expect(throws: StoreError.self) { try FileSecretStore(folder: place) }
        #expect(error?.code == .storage && error?.message.contains(place.path) == true)
    }
}
