public import ContentModel
public import UserData

/// The transmitted form of a request: the request with its answers.
public struct ExchangeCall: Sendable {
    /// The device's request.
    package var request: ExchangeRequest
    /// The answers of `request.answers`, in the same order.
    public var answers: [AnswerColumns]
    /// The operations that could not be parsed, each with the refusal that the device receives.
    public var unreadable: [OperationID: Refusal] = [:]

    /// Creates a call.
    package init(request: ExchangeRequest, answers: [AnswerColumns]) {
        self.request = request
        self.answers = answers
    }

    /// The body as JSON.
    public var json: JSONValue {
        .compact([
            "version": 1, "user": .string(request.user), "client": .string(request.client.text),
            "request": .integer(Int(request.number)), "epoch": request.epoch.map { .string($0) },
            "cursor": .integer(Int(request.cursor)), "head": HeadWire.json(request.head),
            "anew": request.isReadingAnew ? true : nil, "copied": request.isCopied ? true : nil,
            "sums": request.wantsSums ? true : nil,
            "processedBefore": .integer(Int(request.processedBefore)),
            "operations": request.operations.isEmpty
                ? nil : .array(request.operations.map(OperationWire.json)),
            "held": VectorWire.json(request.knownAnswers),
            "answers": answers.isEmpty ? nil : .array(answers.map(\.json)),
        ])
    }

    /// Parses a body.
    ///
    /// One malformed operation does not invalidate the others.
    /// - Parameter bytes: The decompressed body.
    /// - Throws: `WireError` at the first place that invalidates the body.
    public init(_ bytes: [UInt8]) throws(WireError) {
        let object = try WireObject.parse(bytes, nodesMax: ServiceLimits.requestNodesMax)
        guard try object.requiredNumber("version") == 1 else {
            throw WireError("version", "this server speaks version 1")
        }
        let client = ClientID(try object.id("client"))
        guard !Validity.isReserved(client) else {
            throw WireError("client", "is a name that the server uses itself")
        }
        var operations: [ChangeOperation] = []
        let nodes = try object.array("operations") ?? []
        guard nodes.count <= DeviceMachine.operationsMax else {
            throw WireError("operations", "more than \(DeviceMachine.operationsMax)")
        }
        for (index, node) in nodes.enumerated() {
            let path = "operations[\(index)]"
            let counter = try OperationWire.counter(node, path)
            do throws(WireError) {
                operations.append(try OperationWire.operation(node, client: client, path))
            } catch {
                unreadable[OperationID(client: client, counter: counter)] = .badField
            }
        }
        answers = []
        for (index, node) in (try object.array("answers") ?? []).enumerated() {
            answers.append(try AnswerColumns(node, "answers[\(index)]"))
        }
        guard answers.reduce(0, { $0 + $1.count }) <= DeviceMachine.answersMax else {
            throw WireError("answers", "more than \(DeviceMachine.answersMax)")
        }
        request = ExchangeRequest(
            number: try object.requiredNumber("request"), user: try object.id("user"),
            client: client, epoch: try object.text("epoch"),
            cursor: try object.number("cursor") ?? 0, head: try HeadWire.head(object),
            operations: operations,
            processedBefore: try object.number("processedBefore") ?? 0,
            knownAnswers: try VectorWire.vector(object, "held"), answers: answers.map(\.span),
            isReadingAnew: try object.flag("anew"), isCopied: try object.flag("copied"),
            wantsSums: try object.flag("sums"))
    }
}

/// The transmitted form of a reply: the reply with its answers.
public struct ExchangeReply: Sendable {
    /// The server's response.
    package var response: ExchangeResponse
    /// The answers of `response.answers`, in the same order.
    public var answers: [AnswerColumns]

    /// Creates a reply.
    package init(response: ExchangeResponse, answers: [AnswerColumns]) {
        self.response = response
        self.answers = answers
    }

    /// The body as JSON.
    public var json: JSONValue {
        let results = response.results.sorted { $0.key < $1.key }.map { id, result in
            ResultWire.json(result, counter: id.counter)
        }
        return .compact([
            "request": .integer(Int(response.number)), "epoch": .string(response.epoch),
            "cursor": .integer(Int(response.cursor)),
            "head": HeadWire.json(response.head), "more": response.hasMore ? true : nil,
            "tooOld": response.isTooOld ? true : nil,
            "staleDevice": response.isDeviceStale ? true : nil,
            "full": response.isFull ? true : nil,
            "results": results.isEmpty ? nil : .array(results),
            "records": response.changes.isEmpty
                ? nil : .array(response.changes.map(RecordWire.json)),
            "digest": response.digest.map { .string($0.text) },
            "held": VectorWire.json(response.knownAnswers),
            "answersDigest": response.answersDigest.map { .string($0.text) },
            "sums": response.sums.map(SumsWire.json),
            "answers": answers.isEmpty ? nil : .array(answers.map(\.json)),
        ])
    }

    /// Parses a body.
    ///
    /// - Parameters:
    ///   - bytes: The decompressed body.
    ///   - client: The device that sent the request.
    /// - Throws: `WireError` at the first malformed member.
    public init(_ bytes: [UInt8], client: ClientID) throws(WireError) {
        let object = try WireObject.parse(bytes)
        var results: [OperationID: OperationResult] = [:]
        for (index, node) in (try object.array("results") ?? []).enumerated() {
            let (counter, result) = try ResultWire.result(node, "results[\(index)]")
            results[OperationID(client: client, counter: counter)] = result
        }
        var records: [UserRecord] = []
        for (index, node) in (try object.array("records") ?? []).enumerated() {
            records.append(try RecordWire.record(node, "records[\(index)]"))
        }
        answers = []
        for (index, node) in (try object.array("answers") ?? []).enumerated() {
            answers.append(try AnswerColumns(node, "answers[\(index)]"))
        }
        response = ExchangeResponse(
            number: try object.requiredNumber("request"),
            epoch: try object.requiredText("epoch"), results: results, changes: records,
            cursor: try object.number("cursor") ?? 0, head: try HeadWire.head(object),
            hasMore: try object.flag("more"),
            knownAnswers: try VectorWire.vector(object, "held"), answers: answers.map(\.span),
            isTooOld: try object.flag("tooOld"),
            digest: try object.text("digest").flatMap(RecordDigest.init(text:)),
            isFull: try object.flag("full"), isDeviceStale: try object.flag("staleDevice"))
        response.answersDigest = try object.text("answersDigest").flatMap(SetDigest.init(text:))
        response.sums = try SumsWire.sums(object, "sums")
        response.answerHashes = answers.map(\.hashes)
    }
}

/// The result of one operation as JSON.
package enum ResultWire {
    package static func json(_ result: OperationResult, counter: UInt64) -> JSONValue {
        var members: [String: JSONValue] = ["n": .integer(Int(counter))]
        switch result {
        case .accepted(let record): members["accepted"] = RecordWire.json(record)
        case .merged(let record): members["merged"] = RecordWire.json(record)
        case .conflict(let theirs): members["conflict"] = RecordWire.json(theirs)
        case .refused(let refusal): members["refused"] = .string(refusal.rawValue)
        case .retryLater: members["retryLater"] = true
        }
        return .object(members)
    }

    package static func result(
        _ node: DocumentNode, _ path: String
    ) throws(WireError) -> (UInt64, OperationResult) {
        let object = try WireObject(node, path)
        let counter = try object.requiredNumber("n")
        func record(_ key: String) throws(WireError) -> UserRecord? {
            guard let node = object.node(key) else { return nil }
            return try RecordWire.record(node, object.place(key))
        }
        if let record = try record("accepted") { return (counter, .accepted(record)) }
        if let record = try record("merged") { return (counter, .merged(record)) }
        if let record = try record("conflict") { return (counter, .conflict(theirs: record)) }
        if let code = try object.text("refused") {
            // A code of a newer server is a rejection all the same.
            return (counter, .refused(Refusal(rawValue: code) ?? .notAllowed))
        }
        return (counter, .retryLater)
    }
}

/// The end of a log as JSON: `[position, mark]`.
enum HeadWire {
    static func json(_ head: LogHead?) -> JSONValue? {
        head.map { [.integer(Int($0.position)), .string($0.mark)] }
    }

    static func head(_ object: WireObject) throws(WireError) -> LogHead? {
        guard let nodes = try object.array("head") else { return nil }
        guard nodes.count == 2, case .string(let mark) = nodes[1].content, mark.utf8.count <= 64
        else { throw WireError(object.place("head"), "must be [position, mark]") }
        return LogHead(
            position: try WireObject.number(nodes[0], object.place("head")), mark: mark)
    }
}

/// The digest of each device's answers as JSON.
enum SumsWire {
    static func json(_ sums: [ClientID: SetDigest]) -> JSONValue {
        .object(
            Dictionary(
                sums.map { ($0.key.text, .string($0.value.text)) }, uniquingKeysWith: { $1 }))
    }

    static func sums(
        _ object: WireObject, _ key: String
    ) throws(WireError) -> [ClientID: SetDigest]? {
        guard let node = object.node(key) else { return nil }
        guard case .object(let members) = node.content,
            members.count <= ServiceLimits.devicesWithAnswersMax
        else { throw WireError(object.place(key), "must be an object of digests") }
        var sums: [ClientID: SetDigest] = [:]
        for member in members {
            guard Validity.isID(member.key), case .string(let text) = member.value.content,
                let digest = SetDigest(text: text)
            else { throw WireError(object.place(key), "has something else than digests") }
            sums[ClientID(member.key)] = digest
        }
        return sums
    }
}

/// The known answers of each device as JSON.
enum VectorWire {
    static func json(_ vector: AnswerVector) -> JSONValue? {
        guard !vector.lasts.isEmpty else { return nil }
        var members: [String: JSONValue] = [:]
        for (client, last) in vector.lasts { members[client.text] = .integer(Int(last)) }
        return .object(members)
    }

    static func vector(_ object: WireObject, _ key: String) throws(WireError) -> AnswerVector {
        var lasts: [ClientID: UInt64] = [:]
        let numbers = try object.numbers(key)
        guard numbers.count <= ServiceLimits.devicesWithAnswersMax else {
            throw WireError(key, "names more than \(ServiceLimits.devicesWithAnswersMax) devices")
        }
        for (client, last) in numbers {
            guard Validity.isID(client) else { throw WireError(key, "names no device") }
            lasts[ClientID(client)] = last
        }
        return AnswerVector(lasts)
    }
}
