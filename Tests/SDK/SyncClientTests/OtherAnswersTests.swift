import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@testable import SyncClient

/// What comes in place of a manifest, and how the address may be written.
@Suite struct OtherAnswersTests {
    private func failure(_ voyage: Voyage) async throws -> SyncError {
        guard case .failed(let failure) = await voyage.run().outcome else {
            throw SyncError(.storage, "the run did not fail")
        }
        return failure
    }

    // MARK: Networks that want a sign-in

    @Test(arguments: [
        "<!DOCTYPE html><html><body>Welcome to Hotel Wi-Fi</body></html>",
        "\n\n  <html>", "\u{FEFF}<HTML>",
    ])
    func aPageInPlaceOfAManifestIsNamed(page: String) async throws {
        let voyage = try Voyage(["es"])
        _ = await voyage.run()
        for type in ["text/html", "application/json"] {
            voyage.host.fail(
                "manifest.json", .answer(200, ["content-type": type], Array(page.utf8)))
            let failure = try await failure(voyage)
            #expect(failure.code == .captivePortal)
            #expect(failure.message.hasPrefix("This network wants you to sign in first"))
            #expect(try voyage.key() == "a")
            voyage.host.heal()
        }
        #expect(await voyage.run().outcome == .upToDate)
    }

    @Test func aRedirectToAPageOfAnotherHostIsNamed() async throws {
        let voyage = try Voyage(["es"])
        voyage.host.fail(
            "manifest.json",
            .answer(302, ["location": "http://portal.example/login?mac=00:11:22:33:44:55"]))
        voyage.host.fail(
            "login", .answer(200, ["content-type": "text/html; charset=utf-8"], Array("Hi".utf8)))
        let failure = try await failure(voyage)
        #expect(failure.code == .captivePortal)
        #expect(failure.message.contains("http://portal.example/login"))
        // What the portal put into the address is nobody else's business.
        #expect(!failure.message.contains("00:11"))
    }

    @Test func aNetworkThatSaysSoItselfIsNamed() async throws {
        let voyage = try Voyage(["es"])
        voyage.host.fail("manifest.json", .answer(511, ["content-type": "text/html"]))
        #expect(try await failure(voyage).code == .captivePortal)
    }

    // MARK: Redirects

    @Test(arguments: [
        ("https://cdn.example/v2/m.json?token=secret", "https://cdn.example/v2/m.json"),
        ("/moved/manifest.json", "http://host/moved/manifest.json"),
    ])
    func theTargetOfARedirectIsSaid(location: String, shown: String) async throws {
        let voyage = try Voyage(["es"])
        voyage.host.fail("manifest.json", .answer(301, ["location": location]), times: 1)
        let failure = try await failure(voyage)
        #expect(failure.code == .redirected)
        #expect(failure.message.contains("redirects to \(shown) (status 301)"))
        #expect(!failure.message.contains("secret"))
    }

    @Test(arguments: [nil, "", "javascript:alert(1)", "http://user@host/x"])
    func aRedirectToNowhereIsARedirectAllTheSame(location: String?) async throws {
        let voyage = try Voyage(["es"])
        voyage.host.fail(
            "manifest.json", .answer(302, location.map { ["location": $0] } ?? [:]))
        let failure = try await failure(voyage)
        #expect(failure.code == .redirected && failure.message.contains("302"))
    }

    // MARK: Servers that ask to wait

    @Test(arguments: [
        ("120", 120.0), ("Fri, 15 Jan 2027 08:10:00 GMT", 600),
        ("Friday, 15-Jan-27 08:10:00 GMT", 600), ("Fri Jan 15 08:10:00 2027", 600),
        ("Fri, 15 Jan 2037 08:10:00 GMT", 86_400),
        ("9223372036854775807", 86_400), ("100000000000000000000000", 86_400),
    ])
    func aServerMaySayHowLongInSecondsOrUntilWhen(text: String, seconds: Double) async throws {
        let voyage = try Voyage(["es"])
        // The device's clock is wrong by a year; the server's counts.
        voyage.clock.advance(365 * 86_400)
        let headers = ["retry-after": text, "date": "Fri, 15 Jan 2027 08:00:00 GMT"]
        voyage.host.fail("manifest.json", .answer(503, headers))
        let failure = try await failure(voyage)
        #expect(failure.retryAfter == .seconds(seconds))
        #expect(failure.message.contains("wait \(Int(seconds)) seconds"))
        #expect(voyage.host.requests.count == 1)
    }

    /// Also a wait that is over: the device's own tries and waits stay.
    @Test(arguments: [
        "0", "-5", "Fri, 15 Jan 2021 08:10:00 GMT", "soon",
        "Fri, 99 Jan 2027 08:10:00 GMT", "Fri, 15 Jan 2027 08:10:00 CET", "",
    ])
    func whatIsNoTimeIsNoWish(text: String) async throws {
        let voyage = try Voyage(["es"])
        voyage.host.fail("manifest.json", .answer(503, ["retry-after": text]))
        #expect(try await failure(voyage).retryAfter == nil)
        #expect(voyage.host.requests.count == 3)
    }

    // MARK: The address

    @Test(arguments: [
        "http://host", "http://host/", "http://host//", "http://host/manifest.json",
        "http://host//manifest.json/",
    ])
    func anAddressMayNameTheManifest(address: String) async throws {
        let voyage = try Voyage(["es"])
        let sync = ContentSync(
            store: voyage.store, transport: voyage.host, releaseURL: URL(stringLiteral: address))
        #expect(await sync.sync().outcome == .installed(release: 1))
        #expect(voyage.host.requests[0].url == "http://host/manifest.json")
    }
}
