import UserData

/// Two devices that do not see each other's change of one record, and the rules of the server between them.
struct FieldStory {
    private typealias Script = MachineScript
    static let hour: Int64 = 60 * 60 * 1000
    static let key = RecordKey("profile", "me")
    var mine = MachineScript()
    var other = MachineScript(
        DeviceState(
            user: "u", client: MachineScript.other, declarations: MachineScript.collections))
    private(set) var record: UserRecord?
    /// The requests that devices made and that did not arrive yet.
    private var waiting: [ClientID: ExchangeRequest] = [:]

    init() { other.now += Self.hour }

    // MARK: The server

    /// Exchanges once: judges what the device sends, and replies with the record as it is then.
    mutating func sync(_ device: WritableKeyPath<Self, MachineScript>) throws {
        let request = try send(device)
        deliver(request, to: device)
    }

    mutating func send(_ device: WritableKeyPath<Self, MachineScript>) throws -> ExchangeRequest {
        let client = self[keyPath: device].state.client
        if let request = waiting.removeValue(forKey: client) { return request }
        let isFirst = self[keyPath: device].state.nextRequest == 1
        return try self[keyPath: device].request(after: isFirst ? .started : .syncWanted)
    }

    mutating func deliver(
        _ request: ExchangeRequest, to device: WritableKeyPath<Self, MachineScript>
    ) {
        let results = request.operations.map { judge($0) }
        waiting[request.client] = Script.request(
            self[keyPath: device].reply(
                to: request, results, changes: record.map { [$0] } ?? [],
                cursor: record?.revision ?? 0))
    }

    @discardableResult
    mutating func judge(_ operation: ChangeOperation) -> OperationResult {
        let verdict = MergeRules.judge(operation, on: record, policy: .fieldMerge)
        let next = (record?.revision ?? 0) + 1
        switch verdict {
        case .write(let new, _):
            let written = new.committed(at: next)
            record = written
            return .accepted(written)
        case .writePart(let new):
            let written = new.committed(at: next)
            record = written
            return .merged(written)
        case .alreadyApplied(let record): return .accepted(record)
        case .superseded(let record): return .merged(record)
        case .conflict(let record): return .conflict(theirs: record)
        case .refuse(let refusal): return .refused(refusal)
        }
    }

    mutating func put(
        _ values: [String: FieldValue], on device: WritableKeyPath<Self, MachineScript>
    ) {
        self[keyPath: device].now += 1
        let shown = self[keyPath: device].state.current(Self.key)?.values ?? [:]
        write(.put(shown.merging(values) { $1 }), on: device)
    }

    mutating func write(
        _ write: DeviceMachine.Write, on device: WritableKeyPath<Self, MachineScript>
    ) {
        take(.wrote(Self.key, write), on: device)
    }

    mutating func take(
        _ event: DeviceMachine.Event, on device: WritableKeyPath<Self, MachineScript>
    ) {
        let effects = self[keyPath: device].take(event)
        if let request = Script.request(effects) {
            waiting[self[keyPath: device].state.client] = request
        }
    }

    func told(_ device: KeyPath<Self, MachineScript>) -> [Change] {
        self[keyPath: device].state.notices.map(\.mine.change)
    }
}
