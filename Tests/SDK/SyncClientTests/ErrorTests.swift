import Foundation
import OfflineStorage
import RemoteAssets
import ServiceAPI
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

    @Test func anInsecureAddressNamesBothSwitches() async throws {
        let error = #expect(throws: AddressError.self) { try URL(address: "host") }
        #expect(error?.message.contains("allowsInsecureHTTP") == true)
        #expect(error?.message.contains("--insecure-http") == true)
        let transport = HTTPTransport()
        let address = try #require(URL(string: "http://192.0.2.1/manifest.json"))
        let refusal = await #expect(throws: TransportError.self) {
            _ = try await transport.send(TransportRequest(url: address, bodyBytesMax: 1))
        }
        #expect(refusal?.code == .insecureAddress)
        #expect(refusal?.message.contains("`allowsInsecureHTTP`") == true)
        #expect(refusal?.message.contains("`--insecure-http`") == true)
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

    @Test func aReplyThatCannotBeReadIsInTheReportAndInTheStatus() async throws {
        let world = try ScriptedService()
        world.script.answer("exchange", 200, "[]")
        let error = await world.sync.sync().error
        #expect(error?.code == .unreadableReply && error?.cause is WireError)
        #expect(error?.message.hasSuffix("update the app, or the server.") == true)
        #expect(try world.store.status().lastTry?.code == "unreadableReply")
        #expect(try world.store.status().lastTry?.problem == error?.message)
    }

    /// Secrets of an app's own that cannot be read.
    private struct LockedSecrets: SecretStore {
        struct Locked: LocalizedError {
            var errorDescription: String? { "The vault is locked. Unlock it." }
        }

        func secret(_ name: String) throws -> Data? { throw Locked() }
        func set(_ name: String, _ secret: Data?) throws { throw Locked() }
    }

    @Test func anErrorOfTheAppsOwnSecretsIsInTheReportWithItsWords() async throws {
        let world = try ScriptedService()
        let server = try URL(address: "https://host.example")
        let account = Account(
            store: world.store, secrets: LockedSecrets(), transport: world.script,
            serverURL: server)
        let sync = UserDataSync(
            store: world.store, account: account, transport: world.script, serverURL: server)
        let error = await sync.sync().error
        #expect(error?.code == .unexpected && error?.cause is LockedSecrets.Locked)
        #expect(error?.message == "The vault is locked. Unlock it.")
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
