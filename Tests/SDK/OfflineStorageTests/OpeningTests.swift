import ContentModel
import Foundation
import GRDB
import TestSupport
import Testing

@testable import OfflineStorage

@Suite struct OpeningTests {
    /// Each store has connections of its own, as another process would.
    @Test func manyMayOpenANewStoreAtOnce() throws {
        for round in 0..<30 {
            let folder = try TemporaryFolder()
            let failures = ManualClock(0)
            DispatchQueue.concurrentPerform(iterations: 6) { number in
                do {
                    try OfflineStore(folder: folder.url).set("n\(number)", "\(number)")
                    _ = try UserStore(folder: folder.url).status()
                } catch {
                    print("opening failed: \(error)")
                    failures.advance(1)
                }
            }
            #expect(failures.now.timeIntervalSince1970 == 0, "round \(round)")
            let store = try OfflineStore(folder: folder.url)
            for number in 0..<6 { #expect(try store.setting("n\(number)") == "\(number)") }
        }
    }

    private func modes(_ folder: URL) throws -> [String: Int] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, try mode(folder, $0)) })
    }

    private func mode(_ folder: URL, _ name: String = "") throws -> Int {
        let path = name.isEmpty ? folder.path : folder.appending(path: name).path
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
    }

    /// Both stores, with a file that was fetched on demand and one under way.
    private func use(_ folder: URL) throws -> (OfflineStore, UserStore) {
        let store = try OfflineStore(folder: folder)
        let bytes = Array("clip".utf8)
        let checksum = Checksum(of: bytes)
        try Data(bytes).write(to: store.partialFile(checksum))
        _ = try store.keepLazyFile(
            store.partialFile(checksum), as: checksum, size: 4, now: Date())
        let users = try UserStore(folder: folder)
        try users.put(Favourite(bank: "es"), id: "q1", now: Date())
        return (store, users)
    }

    @Test func nobodyElseCanReadWhatADeviceHas() throws {
        let parent = try TemporaryFolder()
        let folder = parent.url.appending(path: "a/device")
        let stores = try use(folder)
        try withExtendedLifetime(stores) {
            #expect(try mode(folder) == 0o700)
            let modes = try modes(folder)
            for name in ["user.sqlite", "user.sqlite-wal", "user.sqlite-shm", "content.sqlite"] {
                #expect(modes[name] == 0o600, "\(name)")
            }
            #expect(modes.count >= 9, "\(modes.keys)")
            for (name, mode) in modes {
                #expect(mode == (["files", "partial"].contains(name) ? 0o700 : 0o600), "\(name)")
            }
        }
    }

    @Test func filesOfEarlierVersionsAreTightenedWhenTheyAreOpened() throws {
        let folder = try TemporaryFolder()
        do {
            let stores = try use(folder.url)
            try withExtendedLifetime(stores) {
                for name in try modes(folder.url).keys {
                    let mode = ["files", "partial"].contains(name) ? 0o755 : 0o644
                    try FileManager.default.setAttributes(
                        [.posixPermissions: mode],
                        ofItemAtPath: folder.url.appending(path: name).path)
                }
            }
        }
        let stores = (try OfflineStore(folder: folder.url), try UserStore(folder: folder.url))
        try withExtendedLifetime(stores) {
            for (name, mode) in try modes(folder.url) where !name.hasPrefix("files/") {
                #expect(mode & 0o077 == 0, "\(name)")
            }
        }
    }

    @Test func aFolderOfTheAppKeepsItsPermissions() throws {
        let folder = try TemporaryFolder()
        let app = folder.url.appending(path: "app")
        try FileManager.default.createDirectory(
            at: app, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        _ = try use(app)
        #expect(try mode(app) == 0o755)
    }

    @Test func userDataThatCannotBeReadIsNotEmptyAndComesBack() throws {
        let folder = try TemporaryFolder()
        do {
            let store = try UserStore(folder: folder.url)
            try store.put(Favourite(bank: "es"), id: "q1", now: Date())
        }
        let file = folder.path + "/user.sqlite"
        let manager = FileManager.default
        try manager.moveItem(atPath: file, toPath: file + ".away")
        try manager.createDirectory(atPath: file, withIntermediateDirectories: false)
        let store = try UserStore(folder: folder.url)
        #expect(store.access.problem != nil)
        for read in [{ _ = try store.records(Favourite.self) }, { _ = try store.status() }] {
            #expect(#expect(throws: StoreError.self, performing: read)?.code == .storage)
        }
        try manager.removeItem(atPath: file)
        try manager.moveItem(atPath: file + ".away", toPath: file)
        #expect(try store.records(Favourite.self).map(\.id) == ["q1"])
        try store.put(Favourite(bank: "es"), id: "q2", now: Date())
        #expect(try UserStore(folder: folder.url).records(Favourite.self).count == 2)
    }

    /// The log has what was not moved into the database yet, and may be all that is left.
    @Test(arguments: [nil, [UInt8]()])
    func aLogWithoutItsDatabaseIsKept(database: [UInt8]?) throws {
        let folder = try TemporaryFolder()
        let log: [UInt8]
        do {
            let store = try UserStore(folder: folder.url.appending(path: "live"))
            try store.put(Favourite(bank: "es"), id: "q1", now: Date())
            log = try withExtendedLifetime(store) { try folder.read("live/user.sqlite-wal") }
        }
        #expect(!log.isEmpty)
        try folder.write(log, to: "store/user.sqlite-wal")
        if let database { try folder.write(database, to: "store/user.sqlite") }
        let store = try UserStore(folder: folder.url.appending(path: "store"))
        #expect(try store.records(Favourite.self).isEmpty)
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/store")
            .filter { $0.hasPrefix("user.sqlite-wal.") }
        #expect(kept.count == 1)
        for name in kept { #expect(try folder.read("store/" + name) == log) }
    }

    @Test func theRemedyForDamagedUserDataNamesAllItsFiles() throws {
        let folder = try TemporaryFolder()
        try folder.write([UInt8](repeating: 7, count: 50_000), to: "user.sqlite")
        let error = #expect(throws: StoreError.self) { try UserStore(folder: folder.url) }
        #expect(error?.code == .damaged)
        for name in ["-wal", "-shm"] { #expect(error?.message.contains(name) == true) }
    }

    @Test func eachCommitOfAUserIsFlushedThroughTheCacheOfTheDrive() throws {
        let folder = try TemporaryFolder()
        let store = try UserStore(folder: folder.url)
        let values = try store.database.write { database in
            try ["fullfsync", "checkpoint_fullfsync", "synchronous"].map {
                try Int.fetchOne(database, sql: "PRAGMA \($0)")
            }
        }
        #expect(values == [1, 1, 2])
    }

    /// In a process of its own, since a suspension is one of all stores of a process.
    @Test func aSuspendedAppHasNoLockAndLosesNothing() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let store = try UserStore(folder: folder.url)
            try store.put(Favourite(bank: "es"), id: "q1", now: Date())
            StoreSuspension.begin()
            #expect(throws: (any Error).self) {
                try store.put(Favourite(bank: "es"), id: "q2", now: Date())
            }
            // Another process of the app group has the database for itself, and reads stay possible.
            let file = folder.url.appending(path: "user.sqlite")
            var configuration = Configuration()
            configuration.busyMode = .immediateError
            try DatabaseQueue(path: file.path, configuration: configuration).inDatabase {
                try $0.execute(sql: "BEGIN EXCLUSIVE; COMMIT")
            }
            #expect(try store.records(Favourite.self).count == 1)
            StoreSuspension.end()
            try store.put(Favourite(bank: "es"), id: "q3", now: Date())
            let ids = try store.records(Favourite.self).map(\.id)
            #expect(Set(ids) == ["q1", "q3"])
        }
    }
}
