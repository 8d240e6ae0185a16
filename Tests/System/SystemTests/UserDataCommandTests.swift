import Foundation
import OfflineStorage
import TestSupport
import Testing
import UserData

/// `sync`, `outbox`, `conflicts` and `account`, as one types them; the app writes into the same stores.
@Suite struct UserDataCommandTests {
    private let fleet: Fleet
    private let server: Tool.Server

    init() async throws {
        fleet = try Fleet(["es"])
        server = try await Tool.Server([
            "--release", fleet.release, "--data", fleet.folder.path + "/users",
        ])
    }

    private var address: String { "http://127.0.0.1:\(server.port)" }

    private func run(
        _ arguments: [String], _ device: String, input: String = ""
    ) async throws -> Tool.Result {
        try await Tool.run(
            arguments + ["--store", fleet.folder.path + "/\(device)"], input: input)
    }

    private func sync(_ device: String) async throws -> Tool.Result {
        try await run(["sync", address + "/api/content/v2"], device)
    }

    private func store(_ device: String) throws -> UserStore {
        try UserStore(folder: fleet.folder.url.appending(path: device))
    }

    private func reserve(_ device: String, _ date: ExamDate) throws {
        try store(device).put(Reservation(exam: "int/swift", date: date), id: "swift", now: Date())
    }

    /// Everything that a device has: databases, downloads, tokens.
    @Test func nobodyElseCanReadTheFilesOfADevice() async throws {
        defer { try? server.kill() }
        try reserve("phone", "2026-12-24")
        let result = try await run(["sync", address + "/api/content/v2", "--audio", "es"], "phone")
        #expect(result.status == 0, "\(result.errors)")
        let folder = fleet.folder.path + "/phone"
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        #expect(Set(["user.sqlite", "content.sqlite", "secrets"]).isSubset(of: names))
        for name in names + [""] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            let mode = try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
            #expect(mode & 0o077 == 0, "\(name)")
        }
    }

    @Test func aConflictIsListedShownAndResolved() async throws {
        defer { try? server.kill() }
        try reserve("phone", "2026-12-24")
        #expect(try await run(["outbox"], "phone").output.contains("1 change waits since"))
        #expect(try await run(["account"], "phone").output.contains("nobody is signed in"))
        let first = try await sync("phone")
        #expect(first.output.contains("User data: sent 1, received 0 (1 request"))
        #expect(try await run(["outbox"], "phone").output.contains("Everything is on the server"))
        for (verb, device) in [("upgrade", "phone"), ("sign-in", "tablet")] {
            let result = try await run(
                ["account", verb, "ada@example.org", "--server", address], device,
                input: "correct horse\n")
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(try await sync("tablet").output.contains("received 1"))
        try reserve("tablet", "2026-12-25")
        try reserve("phone", "2026-12-26")
        _ = try await sync("tablet")
        let second = try await sync("phone")
        #expect(
            second.status == 0 && second.output.contains("1 conflict (underway conflicts list)"))
        let list = try await run(["conflicts"], "phone")
        #expect(list.output.contains("reservations/swift"))
        let shown = try await run(["conflicts", "show", "reservations/swift"], "phone").output
        for date in [
            "before: date: 2026-12-24", "mine:   date: 2026-12-26", "server: date: 2026-12-25",
        ] {
            #expect(shown.contains(date), "\(shown)")
        }
        #expect(
            try await run(["conflicts", "keep-mine", "reservations/swift"], "phone").status == 0)
        #expect(
            try await run(["conflicts", "keep-mine", "reservations/swift"], "phone").status == 4)
        _ = try await sync("phone")
        _ = try await sync("tablet")
        let resolved = try store("tablet").record(Reservation.self, id: "swift")
        #expect(resolved == Reservation(exam: "int/swift", date: "2026-12-26"))
    }

    /// What a learner types, from two reservations to the resolved conflict; nothing but the program.
    @Test func anybodyCanTryAConflictFromTheCommandLine() async throws {
        defer { try? server.kill() }
        let first = try await run(["reserve", "add", "int/swift", "2026-12-24"], "phone")
        #expect(first.output.contains("you are asked (underway conflicts)"), "\(first.errors)")
        _ = try await sync("phone")
        for (verb, device) in [("upgrade", "phone"), ("sign-in", "tablet")] {
            _ = try await run(
                ["account", verb, "eva@example.org", "--server", address], device,
                input: "correct horse\n")
        }
        _ = try await sync("tablet")
        #expect(try await run(["reserve"], "tablet").output.contains("int/swift  2026-12-24"))
        _ = try await run(["reserve", "add", "int/swift", "2026-12-25"], "tablet")
        _ = try await run(["reserve", "add", "int/swift", "2026-12-26"], "phone")
        _ = try await sync("tablet")
        _ = try await sync("phone")
        let text = try await run(["conflicts"], "phone").output
        let minute = #/20\d\d-\d\d-\d\d \d\d:\d\d/#
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(lines.first == "reservations/int/swift")
        #expect(lines.contains("date") && lines.contains("before: 2026-12-24"), "\(text)")
        // What both agree on is left out.
        #expect(!lines.contains("status") && !lines.contains("exam"), "\(text)")
        let mine = try #require(lines.first { $0.hasPrefix("mine:   2026-12-26  (this device, ") })
        let server = try #require(
            lines.first { $0.hasPrefix("server: 2026-12-25  (another device, ") })
        #expect(mine.contains(minute) && server.contains(minute))
        let next = try #require(lines.first { $0.hasPrefix("underway conflicts use-server") })
        // What it says to type can be typed as it is.
        let typed = try await Tool.run(next.split(separator: " ").dropFirst().map(String.init))
        #expect(typed.status == 0, "\(typed.errors)")
        #expect(try await run(["reserve", "list"], "phone").output.contains("2026-12-25"))
        #expect(try await run(["conflicts"], "phone").output.contains("There are no conflicts."))
    }

    @Test func favouritesAndReservationsAreAddedListedAndRemoved() async throws {
        defer { try? server.kill() }
        #expect(try await run(["favourite"], "phone").status == 4)
        let added = try await run(
            ["favourite", "add", "q-17", "--bank", "int/swift", "--note", "again"], "phone")
        #expect(added.output.contains("the later change wins"), "\(added.errors)")
        #expect(
            try await run(["favourite", "list"], "phone").output
                .contains("q-17  (int/swift)  again"))
        let json = try await run(["favourite", "list", "--json"], "phone").output
        #expect(json.contains("\"question\": \"q-17\""), "\(json)")
        #expect(try await run(["favourite", "remove", "q-17"], "phone").status == 0)
        #expect(try await run(["favourite", "remove", "q-17"], "phone").status == 4)
        #expect(try await run(["favourite"], "phone").output.contains("No question is marked."))
        let bad = try await run(["reserve", "add", "int/swift", "soon"], "phone")
        #expect(bad.status == 64 && bad.errors.contains("as 2026-12-24"))
        let booked = ["reserve", "add", "int/swift", "2026-12-24", "--status", "booked"]
        #expect(try await run(booked, "phone").status == 0)
        #expect(
            try await run(["reserve", "list"], "phone").output
                .contains("int/swift  2026-12-24  (booked)"))
        #expect(try await run(["reserve", "remove", "int/swift"], "phone").status == 0)
        #expect(try await run(["reserve"], "phone").output.contains("No exam is reserved."))
    }

    @Test func anAccountIsExportedSignedOutAndDeleted() async throws {
        defer { try? server.kill() }
        try reserve("phone", "2026-12-24")
        _ = try await sync("phone")
        let user = try store("phone").user
        let exported = try await run(["account", "export", "--server", address], "phone")
        #expect(exported.output.contains("\"user\":\"\(user)\""))
        #expect(exported.output.contains("2026-12-24"))
        // Secrets are for their owner alone.
        let secrets = fleet.folder.path + "/phone/secrets"
        for name in try FileManager.default.contentsOfDirectory(atPath: secrets) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(secrets)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        try reserve("phone", "2026-12-27")
        let out = ["account", "sign-out", "--erase", "--server", address]
        let asked = try await run(out, "phone")
        #expect(asked.status == 7)
        #expect(asked.errors.contains("1 changes were not sent, 0 conflicts wait"))
        #expect(try await run(["account", "delete", "--server", address], "phone").status == 64)
        #expect(
            try await run(["account", "delete", "--yes", "--server", address], "phone").status == 0)
        #expect(try store("phone").user == UserStore.localUser)
        #expect(try store("phone").records(Reservation.self).isEmpty)
    }

    @Test func whatCannotBeSentWaitsAndIsToldSo() async throws {
        try server.kill()
        try reserve("phone", "2026-12-24")
        let failed = try await run(
            ["sync", address + "/api/content/v2"], "phone")
        #expect(failed.status == 3)
        let wrong = try await run(
            ["account", "sign-in", "a@b.c", "--bring", "everything", "--server", address],
            "phone", input: "12345678\n")
        let undecided = try await run(
            ["account", "sign-in", "a@b.c", "--server", address], "phone", input: "12345678\n")
        #expect(undecided.status == 64 && undecided.errors.contains("--bring everything"))
        #expect(wrong.status == 3 && wrong.errors.contains("offline"))
        let outbox = try await run(["outbox", "--json"], "phone").output
        #expect(outbox.contains("\"waiting\": 1") && outbox.contains("\"synced\": false"))
        #expect(try await run(["conflicts", "show", "nonsense"], "phone").status == 64)
        #expect(try await run(["outbox", "--dismiss", "7"], "phone").status == 4)
    }

    @Test func aRefusedChangeIsSetAsideUntilItIsGivenUp() async throws {
        defer { try? server.kill() }
        // The app declares a collection that the server does not know.
        let app = try UserStore(
            folder: fleet.folder.url.appending(path: "phone"), collections: [Wish.collection])
        try app.put(Wish(exam: "int/swift"), id: "swift", now: Date())
        _ = try await sync("phone")
        let shown = try await run(["outbox"], "phone").output
        let refused = shown.firstMatch(of: /refused (\d+): wishes\/swift/)
        let number = try #require(refused?.1, "\(shown)")
        #expect(shown.contains("unknownCollection"), "\(shown)")
        let account = try await run(["account", "show"], "phone").output
        #expect(account.contains("1 change refused by the server (underway outbox)"), "\(account)")
        #expect(try await run(["outbox", "--dismiss", String(number)], "phone").status == 0)
        #expect(try store("phone").rejected().isEmpty)
    }
}

private struct Wish: CollectionRecord {
    static let collection = CollectionDeclaration("wishes", .lastWriteWins)
    var exam: String
}
