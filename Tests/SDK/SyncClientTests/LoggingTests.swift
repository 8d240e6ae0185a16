import Foundation
import Logging
import OfflineStorage
import RemoteAssets
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import SyncClient

/// The records of the SDK's loggers: one scheme of labels, quiet levels, no secrets.
@Suite struct LoggingTests {
    private struct Entry: Sendable {
        var label: String
        var level: Logger.Level
        var text: String
    }

    private struct Recorder: LogHandler {
        let label: String
        let entries: ManualList<Entry>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let more = event.metadata ?? [:]
            entries.append(
                Entry(label: label, level: event.level, text: "\(event.message) \(more)"))
        }
    }

    private func recorded(_ body: () async throws -> Void) async rethrows -> [Entry] {
        let entries = ManualList<Entry>()
        try await SDKLogger.$factory.withValue({ Recorder(label: $0, entries: entries) }) {
            try await body()
        }
        return entries.values
    }

    /// Everything secret of this test has "SECRET" in it.
    @Test func noSecretIsEverLogged() async throws {
        let email = "SECRET@example.org"
        let entries = try await recorded {
            let world = try ScriptedService()
            let account = world.account
            world.script.answer("email", 204, "")
            world.script.answer("reset", 204, "")
            world.script.answer("upgrade", 204, "")
            world.script.answer("revoke", 204, "")
            try world.store.post(
                .wrote(
                    RecordKey("notes", "id-SECRET"), .put(["text": .text("text-SECRET")])),
                now: Date())
            // A failed sync, with a reply that repeats what it was sent.
            world.script.answer(
                "exchange", 422, #"{"code":"refused","detail":"SECRET is refused"}"#)
            _ = await world.sync.sync()
            // A token that expired, and its renewal.
            world.script.answer("exchange", 401, #"{"code":"unauthorized","detail":"SECRET"}"#)
            _ = await world.sync.sync()
            try await account.upgrade(email: email, password: "password-SECRET")
            try await account.requestVerification()
            try await account.verifyEmail(code: "code-SECRET")
            try await account.requestPasswordReset(email: email)
            try await account.resetPassword(
                email: email, code: "code-SECRET", newPassword: "password-SECRET")
            try await account.signIn(
                email: email, password: "password-SECRET", bringing: .everything)
            try await account.signIn(
                externalToken: "token-SECRET", linking: true, bringing: .everything)
            let user = world.store.user
            let token = try #require(try account.tokens(of: user)).accessToken
            try await account.renew(user, insteadOf: token)
            world.script.answer(
                "sign-in", 401, #"{"code":"wrongCredentials","detail":"SECRET is unknown"}"#)
            _ = try? await account.signIn(
                email: email, password: "password-SECRET", bringing: .everything)
            try await account.revokeAllSessions()
            try await account.signOut(erasing: true, lossIsAccepted: true)
        }
        #expect(Set(entries.map(\.label)) == ["underway.account", "underway.user-data"])
        for entry in entries {
            #expect(!entry.text.contains("SECRET"), "\(entry)")
            #expect(!entry.text.contains("example.org"), "\(entry)")
            #expect(entry.level <= .debug, "\(entry)")
        }
        #expect(entries.contains { $0.text.contains("token renewed") })
        #expect(
            entries.contains { $0.text.contains("sync failed") || $0.text.contains("not synced") })
    }

    @Test func eachPartHasItsLabel() async throws {
        let entries = try await recorded {
            let voyage = try Voyage()
            _ = await voyage.run()
            let repository = AssetRepository(
                sync: voyage.sync, bundle: ContentBundle(folder: voyage.folder.url),
                folder: voyage.folder.url.appending(path: "assets"), appVersion: "1")
            _ = try? repository.asset("links.json", .data)
            struct Refusal: BackgroundScheduler, Error {
                func schedule(earliest: Date) throws { throw self }
            }
            let world = try ScriptedService()
            await BackgroundSync(userData: world.sync, scheduler: Refusal()).wake()
        }
        let labels = Set(entries.map(\.label))
        #expect(labels.isSuperset(of: ["underway.content", "underway.background"]))
        #expect(
            labels.allSatisfy { SDKLogger.Part(rawValue: $0) != nil })
    }
}
