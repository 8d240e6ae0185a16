import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import SyncClient
import Synchronization
import UserData

/// A wall clock that the harness sets off.
final class OffsetClock: Sendable {
    private let offset: Mutex<Double>

    init(offset: Double) { self.offset = Mutex(offset) }

    var now: Date { Date().addingTimeInterval(offset.withLock { $0 }) }

    func set(_ seconds: Double) { offset.withLock { $0 = seconds } }
}

/// A device as an app has it: everything goes through the SDK's public types.
struct Device: Sendable {
    static let bank = QuestionFilter.Bank.exam(region: "int", exam: "blackbox")
    static let password = "correct horse battery"
    /// Short, since the proxy holds requests back.
    static let deadline = Duration.seconds(20)

    let store: UserStore
    let account: Account
    let sync: UserDataSync
    let transport: HTTPTransport
    let clock: OffsetClock
    let mistake: Mistake?
    /// Counts chances of making the mistake.
    private let chances = Chances()

    init(server: String, folder: String, offset: Double, mistake: Mistake?) throws {
        let clock = OffsetClock(offset: offset)
        let url = URL(fileURLWithPath: folder)
        let transport = HTTPTransport()
        let serverURL = try URL(address: server)
        store = try UserStore(folder: url, collections: DriverCollections.all)
        account = Account(
            store: store, secrets: try FileSecretStore(folder: url.appending(path: "secrets")),
            transport: transport, serverURL: serverURL, deadline: Self.deadline)
        sync = UserDataSync(
            store: store, account: account, transport: transport, serverURL: serverURL,
            deadline: Self.deadline, clock: { clock.now })
        self.transport = transport
        self.clock = clock
        self.mistake = mistake
    }

    /// True the first and then each third time that the device could make the mistake.
    func errs(_ mistake: Mistake) -> Bool { self.mistake == mistake && chances.isDue() }

    // MARK: Writes

    /// Says what the user sees before a write.
    func look(_ command: Command) throws -> [String: JSONValue] {
        ["saw": try seen(command).map { .string($0) } ?? .null]
    }

    /// Does a command that writes.
    func write(_ command: Command) throws -> [String: JSONValue] {
        let saw = mistake == .oldValueBack ? try seen(command) : nil
        if !errs(.dropWrite) { try change(command) }
        if command.action == .put, let saw, errs(.oldValueBack) {
            var again = command
            again.value = saw
            try put(again)
        }
        return [:]
    }

    private func seen(_ command: Command) throws -> String? {
        guard let name = command.collection, let record = command.record else { return nil }
        if name == Profile.collection.name {
            return try store.record(Profile.self, id: record)?[command.field ?? ""]
        }
        guard let type = DriverCollections.text(name) else { return nil }
        return try text(type, record)
    }

    private func text<Value: TextRecord>(_ type: Value.Type, _ id: String) throws -> String? {
        try store.record(type, id: id)?.text
    }

    private func change(_ command: Command) throws {
        switch command.action {
        case .answer: try answer(command.names ?? [])
        case .together: try together(command.notes ?? [])
        case .count:
            let step = command.by ?? 1
            for _ in 0..<(errs(.doubleCount) ? 2 : 1) {
                try store.increment(
                    Points.self, id: command.record ?? "", field: Points.field, by: step,
                    now: clock.now)
            }
        case .delete:
            try store.delete(Star.self, id: command.record ?? "", now: clock.now)
        default: try put(command)
        }
    }

    private func put(_ command: Command) throws {
        guard let name = command.collection, let id = command.record, let value = command.value
        else { throw CommandError(description: "put needs collection, record and value") }
        if name == Profile.collection.name {
            var profile = try store.record(Profile.self, id: id) ?? Profile()
            profile[command.field ?? "a"] = value
            return try store.put(profile, id: id, now: clock.now)
        }
        guard let type = DriverCollections.text(name) else {
            throw CommandError(description: "there is no collection \(name)")
        }
        try put(type, value, id)
    }

    private func put<Value: TextRecord>(
        _ type: Value.Type, _ text: String, _ id: String
    ) throws {
        try store.put(Value(text: text), id: id, now: clock.now)
    }

    private func together(_ notes: [Command.Note]) throws {
        let isParted = errs(.partGroup)
        try store.write(now: clock.now) { writes in
            for note in isParted ? notes.dropLast() : notes {
                try writes.put(Note(text: note.value), id: note.record)
            }
        }
    }

    private func answer(_ names: [String]) throws {
        let now = clock.now
        let isDoubled = errs(.doubleAnswer)
        let records = names.map { Self.answer($0, session: "s", now) }
        let copies = isDoubled ? names.map { Self.answer($0, session: "again", now) } : []
        try store.add(records + copies, to: Self.bank, now: now)
    }

    private static func answer(_ name: String, session: String, _ now: Date) -> AnswerRecord {
        AnswerRecord(
            sessionID: session, questionID: name, contentVersion: "v1", response: ["a"],
            isCorrect: true, credit: 1, timeTaken: 1, exposuresBefore: 0, mode: .study,
            isRandomlySelected: false, date: now)
    }

    // MARK: Conflicts

    func conflicts() throws -> JSONValue {
        .array(
            try store.conflicts().map { conflict in
                [
                    "collection": .string(conflict.key.collection),
                    "record": .string(conflict.key.id), "mine": conflict.mine.text,
                    "theirs": conflict.theirs.text, "shown": .string(conflict.tag),
                ]
            })
    }

    func settle(_ command: Command) throws {
        let key = RecordKey(command.collection ?? "", command.record ?? "")
        try store.resolve(
            key, command.how == "keepMine" ? .keepMine : .useServer,
            shown: command.shown ?? "", now: clock.now)
    }
}

/// A count that tasks share.
private final class Chances: Sendable {
    private let count = Mutex(0)

    func isDue() -> Bool {
        count.withLock { count in
            defer { count += 1 }
            return count.isMultiple(of: 3)
        }
    }
}

extension ChangeOperation {
    /// The text that the operation sets; null for a deletion.
    var text: JSONValue {
        if case .put(let fields) = change, case .text(let text)? = fields["text"] {
            return .string(text)
        }
        return .null
    }
}

extension UserRecord {
    /// The text that the record holds; null when it is deleted.
    var text: JSONValue {
        if !isDeleted, case .text(let text)? = values["text"] { return .string(text) }
        return .null
    }
}
