import Foundation
import OfflineStorage
import RemoteAssets
import TestSupport
import Testing

@testable import SyncClient

/// The errors that an app meets.
@Suite struct ErrorTests {
    @Test(arguments: [
        ("quiz.example.org", AddressError.Code.missingScheme), ("ftp://host", .missingScheme),
        ("", .missingScheme), ("https://ada:secret@host", .namesUser),
        ("https://host?x=1", .hasQuery), ("https://host/#a", .hasQuery),
        ("https://host:99999", .badHost), ("https://", .badHost),
    ])
    func anAddressIsCheckedWhereItIsTyped(text: String, code: AddressError.Code) {
        let error = #expect(throws: AddressError.self) { try URL(address: text) }
        #expect(error?.code == code)
        #expect(error?.message.contains("secret") == false)
        #expect(error?.localizedDescription == error?.message)
    }

    @Test func anAddressIsTakenAsItIsTyped() throws {
        #expect(
            try URL(address: "HTTPS://Host.example/a/").absoluteString
                == "HTTPS://Host.example/a/")
    }

    /// A code of a later version arrives as it is, and breaks no `switch`.
    @Test func codesAreOpen() {
        let later = ServiceError.Code(rawValue: "needsCaptcha")
        switch ServiceError(later, "Solve it.", status: 403).code {
        case .unauthorized: Issue.record("another code")
        default: #expect(later.rawValue == "needsCaptcha")
        }
    }

    @Test func messagesAreShownByTheSystem() {
        let errors: [any Error] = [
            SyncError(.offline, "a"), TransportError(.offline, "a"), AssetError(.offline, "a"),
            ServiceError(.offline, "a"),
        ]
        #expect(errors.map(\.localizedDescription) == ["a", "a", "a", "a"])
    }

    /// A static host, or a proxy, knows nothing of reasons.
    @Test func aReplyWithoutAReasonIsUnspecified() async throws {
        let world = try ScriptedService()
        world.script.answer("anonymous", 404, "<html></html>")
        let error = await #expect(throws: ServiceError.self) { try await world.account.ensure() }
        #expect(error?.code == .unspecified && error?.status == 404)
        let report = await world.sync.sync()
        #expect(report.serverHasNoUserData && report.error == error)
    }

    @Test func aReasonOfALaterServerArrives() async throws {
        let world = try ScriptedService()
        world.script.answer("anonymous", 403, #"{"code":"needsCaptcha","detail":"Solve it."}"#)
        let error = await #expect(throws: ServiceError.self) { try await world.account.ensure() }
        #expect(error?.code.rawValue == "needsCaptcha" && error?.message == "Solve it.")
    }

    /// The refusal of an exchange is in its report, with the code.
    @Test func aReportHasTheErrorOfTheService() async throws {
        let world = try ScriptedService()
        let report = await world.sync.sync()
        #expect(report.error?.code == .busy && report.error?.status == 503)
        #expect(report.problem == report.error?.message)
    }

    /// As nginx and Go answer plain HTTP at a port that expects TLS.
    @Test func aBadRequestOverPlainHTTPNamesHTTPS() async throws {
        let voyage = try Voyage()
        voyage.host.fail("manifest.json", .status(400))
        guard case .failed(let error) = await voyage.run().outcome else {
            Issue.record("no failure")
            return
        }
        #expect(error.code == .serverError && error.message.contains("may speak https"))
    }

    /// The cause goes along for the log, and says nothing about equality.
    @Test func theCauseGoesAlong() async throws {
        struct Broken: Transport {
            func send(_ request: TransportRequest) async throws -> TransportResponse {
                throw TransportError(.offline, "no network", cause: CocoaError(.fileNoSuchFile))
            }
        }
        let folder = try TemporaryFolder()
        let store = try OfflineStore(folder: folder.url)
        var settings = SyncSettings()
        settings.backoff = .zero
        let sync = ContentSync(
            store: store, transport: Broken(), releaseURL: "http://host", settings: settings)
        guard case .failed(let error) = await sync.sync().outcome else {
            Issue.record("no failure")
            return
        }
        #expect(error == SyncError(.offline, "no network"))
        #expect((error.cause as? TransportError)?.cause is CocoaError)
    }
}
