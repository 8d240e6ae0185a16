import ContentModel
import Foundation
import GRDB
import TestSupport
import Testing

/// Full disks and folders that cannot be written, as one meets them in the terminal: learning goes on, what is
/// not saved is said at once, and the exit code is 6.
@Suite(.serialized) struct StorageCommandTests {
    private let fleet: Fleet
    private let bundle: String

    init() async throws {
        fleet = try Fleet(["es"])
        bundle = fleet.folder.path + "/bundle"
        let result = try await Tool.run(["bundle", bundle, "--release", fleet.release])
        #expect(result.status == 0, "\(result.errors)")
    }

    private var device: String { fleet.folder.path + "/disk/store" }

    private func study(_ more: [String] = []) -> [String] {
        ["study", "es", "--store", device, "--bundle", bundle] + more
    }

    private func expectPlain(_ result: Tool.Result) {
        let text = (result.output + result.errors).lowercased()
        for word in ["sqlite error", "database or disk", "malformed", "disk i/o", "executing"] {
            #expect(!text.contains(word), "\(text)")
        }
    }

    private func expectUnsaved(_ result: Tool.Result, answers: Int) {
        #expect(result.status == 6, "\(result.errors)")
        #expect(result.output.contains("Test of es") && result.output.contains("Result: "))
        #expect(result.errors.contains("Your answers are not saved."), "\(result.errors)")
        #expect(result.errors.contains("\(answers) answers were not saved."), "\(result.errors)")
        expectPlain(result)
    }

    // MARK: Full disks

    private static let small = "trap '' XFSZ; ulimit -f 8; exec \"$@\""

    @Test func studyingGoesOnWhereNoFileCanGrow() async throws {
        let new = try await Tool.run(study(), input: "1\n1\n1\n", inShell: Self.small)
        expectUnsaved(new, answers: 3)
        #expect(new.output.contains("bundled"))
        let whole = try await Tool.run(study(["--fresh"]), input: "1\n")
        #expect(whole.status == 0 && whole.output.contains("the session is kept at question 2"))
        let full = try await Tool.run(study(), input: "1\n1\n", inShell: Self.small)
        #expect(full.output.contains("Going on with the session"), "\(full.output)")
        expectUnsaved(full, answers: 2)
        // What was saved before is there, and what was not is asked again.
        let again = try await Tool.run(study(["--json"]), input: "1\n1\n")
        #expect(again.status == 0 && again.output.contains("\"questions\": 3"))
    }

    @Test func aSyncWhereNoFileCanGrowSaysSoAndSucceedsLater() async throws {
        try await withServer(fleet.release) { url in
            let sync = ["sync", url, "--force", "--store", device]
            let full = try await Tool.run(sync, inShell: Self.small)
            #expect(full.status == 6, "\(full.errors)")
            #expect(!full.output.contains("Up to date") && !full.output.contains("Installed"))
            expectPlain(full)
            #expect(try await Tool.run(sync).output.contains("Installed release 1"))
            try fleet.edit(key: 1)
            #expect(try await Tool.run(sync, inShell: Self.small).status == 6)
            #expect(try await Tool.run(sync).output.contains("Installed release 2"))
        }
    }

    /// A file system of its own in a mount namespace of its own.
    private func tiny(_ kilobytes: Int) -> String {
        """
        exec unshare $([ "$(id -u)" = 0 ] && echo -m || echo -rm) bash -c '
            mount -t tmpfs -o size=\(kilobytes)k none \(fleet.folder.path)/disk || exit 99
            exec "$@"' bash "$@"
        """
    }

    @Test(arguments: [4, 40, 120, 200, 300])
    func studyingGoesOnOnAFileSystemWithoutRoom(kilobytes: Int) async throws {
        try fleet.folder.write("", to: "disk/.here")
        let result = try await Tool.run(study(), input: "1\n1\n1\n", inShell: tiny(kilobytes))
        guard result.status != 99, !result.errors.contains("unshare") else {
            return print("SKIPPED: a small file system may not be mounted here")
        }
        #expect(result.output.contains("Result: "), "\(result.errors)")
        #expect(result.status == 0 || result.status == 6, "\(result.errors)")
        #expect((result.status == 6) == result.errors.contains("not saved"), "\(result.errors)")
        if kilobytes == 4 { expectUnsaved(result, answers: 3) }
        expectPlain(result)
    }

    @Test func aServerWhoseDiskIsFullSaysSoInWords() async throws {
        let data = fleet.folder.path + "/users"
        let result = try await Tool.run(
            ["serve", "--port", "0", "--release", fleet.release, "--data", data],
            inShell: Self.small)
        #expect(result.status == 6, "\(result.errors)")
        #expect(result.errors.contains("\(data)/users.sqlite cannot be"), "\(result.errors)")
        #expect(result.errors.contains("Make room") && !result.errors.contains("code"))
    }

    // MARK: Damage

    /// Studies until the second question is shown, damages the database, and answers on.
    @Test func damageInTheMiddleOfASessionEndsNoSession() async throws {
        let script = """
            cd '\(fleet.folder.path)' && mkfifo in && trap '' PIPE
            "$@" < in > out & study=$!
            exec 3> in
            echo 1 >&3
            until grep -q '^2\\.  ' out; do kill -0 $study || exit 98; sleep 0.02; done
            for file in '\(device)'/user.sqlite '\(device)'/user.sqlite-wal; do
                head -c $(stat -c %s "$file") /dev/zero | tr '\\0' x | dd of="$file" conv=notrunc status=none
            done
            echo 1 >&3; echo 1 >&3; exec 3>&-
            wait $study; code=$?
            cat out; exit $code
            """
        let result = try await Tool.run(study(), inShell: script)
        // The first answer was in what is damaged now.
        expectUnsaved(result, answers: 3)
        #expect(!result.errors.contains("saved before"), "\(result.errors)")
    }

    enum Loss: String, CaseIterable {
        case removed = "rm \"$db\""
        case removedWithItsLog = "rm \"$db\"*"
        case emptied = ": > \"$db\""
        case overwritten =
            "head -c 8192 /dev/zero | tr '\\0' x | dd of=\"$db\" conv=notrunc status=none"
        case replaced = "cp \"$db\" \"$db.new\" && mv \"$db.new\" \"$db\""
    }

    /// Empties the log, which a program that ends in a hurry leaves: with all of the database in it, nothing would be lost.
    private func checkpoint() throws {
        let database = try DatabaseQueue(path: "\(device)/user.sqlite")
        _ = try database.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try database.close()
    }

    /// The database is lost while the program runs, whose next write goes well all the same.
    @Test(arguments: Loss.allCases, ["", "echo 1 >&3; echo 1 >&3;"])
    func whatIsNotInTheFileIsNotCalledSaved(loss: Loss, more: String) async throws {
        let script = """
            cd '\(fleet.folder.path)' && mkfifo in && trap '' PIPE && db='\(device)/user.sqlite'
            "$@" < in > out 2> err & study=$!
            exec 3> in
            echo 1 >&3
            until grep -q '^2\\.  ' out err; do kill -0 $study || exit 98; sleep 0.02; done
            \(loss.rawValue)
            \(more) exec 3>&-
            wait $study; code=$?
            cat out; cat err >&2; exit $code
            """
        for form in [[], ["--json"]] {
            #expect(try await Tool.run(study(), input: "1\n").status == 0)
            try checkpoint()
            let result = try await Tool.run(
                study(["--fresh"] + form),
                inShell: "cd '\(fleet.folder.path)' && rm -f in out err; " + script)
            #expect(result.status == 6, "\(result.output) \(result.errors)")
            #expect(!result.output.contains(" saved,"), "\(result.output)")
            let count = more.isEmpty ? "1 answer was" : "3 answers were"
            #expect(
                (result.output + result.errors).contains("\(count) not saved."),
                "\(result.output) \(result.errors)")
            expectPlain(result)
            for name in try FileManager.default.contentsOfDirectory(atPath: device)
            where name.hasPrefix("user.sqlite") {
                try FileManager.default.removeItem(atPath: "\(device)/\(name)")
            }
        }
    }

    // MARK: Folders that cannot be written

    /// Root keeps its files but loses the right to write where permissions forbid it.
    private static let ordinary = """
        if [ "$(id -u)" = 0 ]; then
            command -v setpriv > /dev/null || exit 99
            exec setpriv --bounding-set=-dac_override,-dac_read_search,-fowner "$@"
        fi
        exec "$@"
        """

    private func permit(_ isWritable: Bool) throws {
        let manager = FileManager.default
        let names = try manager.subpathsOfDirectory(atPath: device)
        for path in [device] + names.map({ "\(device)/\($0)" }) {
            var isFolder: ObjCBool = false
            _ = manager.fileExists(atPath: path, isDirectory: &isFolder)
            let mode = (isFolder.boolValue ? 0o500 : 0o400) | (isWritable ? 0o200 : 0)
            try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
    }

    @Test func aFolderThatCannotBeWrittenIsRead() async throws {
        try await withServer(fleet.release) { url in
            let sync = ["sync", url, "--force", "--store", device]
            #expect(try await Tool.run(sync).status == 0)
            #expect(try await Tool.run(study(), input: "1\n").status == 0)
            try permit(false)
            let read = try await Tool.run(study(), input: "1\n1\n", inShell: Self.ordinary)
            guard read.status != 99 else { return print("SKIPPED: setpriv is not installed") }
            #expect(read.output.contains("downloaded"), "\(read.output)")
            #expect(read.output.contains("Going on with the session"), "\(read.output)")
            expectUnsaved(read, answers: 2)
            let refused = try await Tool.run(sync, inShell: Self.ordinary)
            #expect(refused.status == 6 && refused.errors.contains("name another"))
            expectPlain(refused)
            try permit(true)
            #expect(try await Tool.run(study(), input: "1\n1\n").status == 0)
        }
    }

    @Test func aDamagedStoreIsReadFromTheBundleAndRepaired() async throws {
        try await withServer(fleet.release) { url in
            let sync = ["sync", url, "--store", device]
            #expect(try await Tool.run(sync).status == 0)
            try Data(repeating: 7, count: 50_000).write(
                to: URL(fileURLWithPath: device + "/content.sqlite"))
            let read = try await Tool.run(study(), input: "1\n1\n1\n")
            #expect(read.status == 0 && read.output.contains("bundled"), "\(read.errors)")
            // The cooldown would not let it ask.
            let healed = try await Tool.run(sync)
            #expect(healed.status == 0, "\(healed.errors)")
            // What was rebuilt is a store, also when nothing else is left of it.
            for name in ["content.sqlite", "user.sqlite", "user.sqlite-wal", "user.sqlite-shm"] {
                try? FileManager.default.removeItem(atPath: "\(device)/\(name)")
            }
            let alone = try await Tool.run(["study", "es", "--store", device], input: "1\n")
            #expect(alone.status == 0 && alone.output.contains("release 1"), "\(alone.errors)")
            #expect(try await Tool.run(study(), input: "").output.contains("release 1"))
        }
    }
    /// A store below a folder that this user may not change, or not even enter.
    @Test(arguments: [0o500, 0o000])
    func aStoreThatCannotBeMadeIsStudiedFromTheBundle(mode: Int) async throws {
        let parent = fleet.folder.path + "/disk"
        try fleet.folder.write("", to: "disk/.here")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: parent)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: parent)
        }
        let new = try await Tool.run(study(), input: "1\n1\n1\n", inShell: Self.ordinary)
        guard new.status != 99 else { return print("SKIPPED: setpriv is not installed") }
        expectUnsaved(new, answers: 3)
        let empty = try await Tool.run(["outbox", "--store", device], inShell: Self.ordinary)
        #expect(empty.status == (mode == 0 ? 6 : 4), "\(empty.errors)")
    }

    @Test func userDataThatCannotBeReadIsNoEmptyOutbox() async throws {
        #expect(try await Tool.run(study(), input: "1\n").status == 0)
        for name in ["user.sqlite", "user.sqlite-wal", "user.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: "\(device)/\(name)")
        }
        try fleet.folder.write("", to: "disk/store/user.sqlite/.here")
        for command in [["outbox"], ["favourite", "list"], ["conflicts", "list"]] {
            let result = try await Tool.run(command + ["--store", device])
            #expect(result.status == 6, "\(command): \(result.output)")
            #expect(result.errors.contains("user.sqlite cannot be"), "\(result.errors)")
            expectPlain(result)
        }
        expectUnsaved(try await Tool.run(study(), input: "1\n1\n1\n"), answers: 3)
    }

    private func withDataServer(_ body: (_ sync: [String]) async throws -> Void) async throws {
        let server = try await Tool.Server([
            "--release", fleet.release, "--data", fleet.folder.path + "/users",
        ])
        defer { try? server.kill() }
        try await body([
            "sync", "http://127.0.0.1:\(server.port)/api/content/v2", "--force", "--store", device,
        ])
    }

    @Test func answersAreSentWhereContentCannotBeSaved() async throws {
        try await withDataServer { sync in
            #expect(try await Tool.run(study(), input: "1\n1\n1\n").status == 0)
            for name in ["content.sqlite", "content.sqlite-wal", "content.sqlite-shm"] {
                try? FileManager.default.removeItem(atPath: "\(device)/\(name)")
            }
            try fleet.folder.write("", to: "disk/store/content.sqlite/.here")
            let result = try await Tool.run(sync)
            #expect(result.status == 6, "\(result.output)")
            #expect(result.errors.contains("User data: sent"), "\(result.errors)")
            #expect(result.errors.contains("content.sqlite cannot be"), "\(result.errors)")
            expectPlain(result)
            let outbox = try await Tool.run(["outbox", "--store", device])
            #expect(outbox.output.contains("Everything is on the server"), "\(outbox.output)")
        }
    }

    @Test func answersAreSentWhereAudioIsNotToBeHad() async throws {
        try await withDataServer { sync in
            #expect(try await Tool.run(study(), input: "1\n1\n1\n").status == 0)
            let result = try await Tool.run(sync + ["--json", "--audio", "xx", "es"])
            #expect(result.status == 4, "\(result.output)")
            #expect(result.output.contains("\"unfetchedAudio\""), "\(result.output)")
            #expect(result.output.contains("\"language\": \"xx\""), "\(result.output)")
            #expect(!result.output.contains("\"language\": \"es\""), "\(result.output)")
            let outbox = try await Tool.run(["outbox", "--store", device])
            #expect(outbox.output.contains("Everything is on the server"), "\(outbox.output)")
            let text = try await Tool.run(sync + ["--audio", "xx"])
            #expect(text.status == 4 && text.output.contains("User data: sent 0"))
            #expect(text.errors.contains("The audio of xx is not here."), "\(text.errors)")
        }
    }

    /// A file stands where the folder of the tokens, or of files fetched on demand, has to be.
    @Test func foldersThatCannotBeWrittenAreSaidInOneSentence() async throws {
        try await withDataServer { sync in
            #expect(try await Tool.run(study(), input: "1\n1\n1\n").status == 0)
            try fleet.folder.write("", to: "disk/store/secrets")
            let result = try await Tool.run(sync)
            #expect(result.status == 6, "\(result.errors)")
            let text = result.output + result.errors
            #expect(text.contains("/secrets cannot be") && !text.contains("Domain"), "\(text)")
            try FileManager.default.removeItem(atPath: device + "/secrets")
            try FileManager.default.removeItem(atPath: device + "/files")
            try fleet.folder.write("", to: "disk/store/files")
            let files = try await Tool.run(sync + ["--audio", "es"])
            #expect(files.status == 6, "\(files.output)")
            #expect(files.errors.contains("/files cannot be written"), "\(files.errors)")
            #expect(!files.errors.contains("Domain"), "\(files.errors)")
        }
    }

    // MARK: Bundles

    /// What the bundle has of a language, damaged.
    private func damageObject(of language: String, in fleet: Fleet) throws {
        let manifest = try Manifest(fleet.folder.read("bundle/manifest.json"))
        let hex = try #require(manifest.languages[language]?.blueprint?.checksum.hex)
        try fleet.folder.write("{}", to: "bundle/objects/\(hex.prefix(2))/\(hex)")
    }

    @Test func aBundleWithADamagedObjectShowsTheRest() async throws {
        let fleet = try Fleet(["de", "es"])
        let bundle = fleet.folder.path + "/bundle"
        #expect(try await Tool.run(["bundle", bundle, "--release", fleet.release]).status == 0)
        try damageObject(of: "es", in: fleet)
        let store = ["--store", fleet.folder.path + "/device", "--bundle", bundle]
        let whole = try await Tool.run(["study", "de"] + store, input: "1\n")
        #expect(whole.status == 0 && whole.output.contains("Test of de"), "\(whole.errors)")
        #expect(whole.errors.contains("of the bundle is damaged"), "\(whole.errors)")
        #expect(try await Tool.run(["study", "es"] + store, input: "1\n").status == 6)
        try await withServer(fleet.release) { url in
            let synced = try await Tool.run(["sync", url] + store)
            #expect(synced.status == 0, "\(synced.errors)")
            #expect(try await Tool.run(["study", "es"] + store, input: "1\n").status == 0)
        }
    }

    @Test(arguments: [nil, "{\"schema"])
    func aBundleWithoutAWholeManifestHidesNothing(manifest: String?) async throws {
        try await withServer(fleet.release) { url in
            #expect(try await Tool.run(["sync", url, "--store", device]).status == 0)
            try FileManager.default.removeItem(atPath: bundle + "/manifest.json")
            if let manifest { try fleet.folder.write(manifest, to: "bundle/manifest.json") }
            let read = try await Tool.run(study(), input: "1\n")
            #expect(read.status == 0 && read.output.contains("downloaded"), "\(read.errors)")
            #expect(read.errors.contains("manifest.json"), "\(read.errors)")
            let synced = try await Tool.run([
                "sync", url, "--force", "--store", device, "--bundle", bundle,
            ])
            #expect(synced.status == 0, "\(synced.errors)")
        }
    }
}
