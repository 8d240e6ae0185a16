import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import SyncClient
import UserData

extension Device {
    /// Syncs, and says how it ended and where the device is afterwards.
    func syncOnce() async throws -> [String: JSONValue] {
        if mistake == .silentSettle {
            for conflict in try store.conflicts() {
                try store.resolve(
                    conflict.key, .useServer, shown: conflict.tag, now: clock.now)
            }
        }
        let report = await sync.sync()
        var members = try place()
        members["problem"] = report.problem.map { .string($0) } ?? .null
        members["needsSignIn"] = .bool(report.needsSignIn)
        members["requests"] = .integer(report.requests)
        return members
    }

    /// Where the device is.
    func place() throws -> [String: JSONValue] {
        let state = try store.state()
        let status = try store.status()
        let cursor = Int(state.cursor)
        return [
            "user": .string(state.user), "client": .string(state.client.text),
            "epoch": state.epoch.map { .string($0) } ?? .null,
            "cursor": .integer(errs(.cursorBack) ? max(0, cursor - 1) : cursor),
            "recovering": .bool(status.isRecovering),
            "synced": .bool(status.isSynced || mistake == .alwaysSynced),
            "waiting": .integer(status.waitingCount),
            "conflicts": .integer(status.conflictCount),
            "refused": .integer(status.rejectedCount),
        ]
    }

    /// Everything that the device shows.
    func dump() throws -> [String: JSONValue] {
        var collections: [String: JSONValue] = [:]
        for type in DriverCollections.texts {
            collections[type.collection.name] = .object(try texts(type))
        }
        collections[Profile.collection.name] = .object(
            Dictionary(
                try store.records(Profile.self).map { record in
                    (record.id, .object(record.value.fields.mapValues { .string($0) }))
                }, uniquingKeysWith: { $1 }))
        collections[Points.collection.name] = .object(
            Dictionary(
                try store.records(Points.self).map {
                    ($0.id, .integer(Int($0.value.total)))
                }, uniquingKeysWith: { $1 }))
        var members = try place()
        members["records"] = .object(collections)
        members["answers"] = .array(
            try store.answers(of: Self.bank).map { .string($0.questionID) })
        members["setAside"] = .array(try store.rejected().map(\.operation.text))
        members["inbox"] = try conflicts()
        return members
    }

    private func texts<Value: TextRecord>(_ type: Value.Type) throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for record in try store.records(type) where !errs(.hideRecord) {
            members[record.id] = .string(record.value.text)
        }
        return members
    }
}
