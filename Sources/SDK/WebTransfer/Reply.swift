import Synchronization

/// A reply between the network, which fills it, and its reader: the thin shell around `ReplyMachine`.
final class Reply: Sendable {
    private typealias Machine = ReplyMachine<
        CheckedContinuation<TransferHead, any Error>, CheckedContinuation<[UInt8]?, any Error>
    >

    private let machine: Mutex<Machine>
    private let engine: any TransferEngine

    /// Creates an empty reply.
    init(engine: any TransferEngine, bodyBytesMax: Int) {
        self.engine = engine
        machine = Mutex(Machine(bodyBytesMax: bodyBytesMax))
    }

    var id: ObjectIdentifier { ObjectIdentifier(self) }

    /// True when nothing more can arrive.
    var hasEnded: Bool { machine.withLock { $0.hasEnded } }

    /// True when the sender waits for space in the buffer.
    var isPaused: Bool { machine.withLock { $0.isPaused } }

    // MARK: The reader

    /// Sends the request and waits for the head.
    ///
    /// A task that is cancelled, before or while it waits, gets `cancelled` at once.
    func head(of request: TransferRequest, _ address: WebAddress) async throws -> TransferHead {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                perform(machine.withLock { $0.headWanted(by: continuation) })
                // A reply that ended before its start needs no stop.
                if !hasEnded { engine.start(request, address, self) }
            }
        } onCancel: {
            cancel(.cancelled)
        }
    }

    /// Waits for the next bytes of the body as they were sent; `nil` at their end.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                perform(machine.withLock { $0.bodyWanted(by: continuation) })
            }
        } onCancel: {
            cancel(.cancelled)
        }
    }

    /// Cancels the transfer from the reader's side; no effect when it has ended.
    func cancel(_ error: TransferError) { perform(machine.withLock { $0.cancelled(error) }) }

    // MARK: The network

    func headArrived(_ head: TransferHead) {
        perform(machine.withLock { $0.headArrived(head) })
    }

    /// Offers bytes of the body.
    ///
    /// - Parameters:
    ///   - bytes: The encoded bytes.
    ///   - mayOverfill: True when they cannot be offered again: then `full` has buffered them.
    /// - Returns: The receipt.
    func bodyArrived(_ bytes: [UInt8], mayOverfill: Bool = false) -> BodyReceipt {
        let (receipt, effects) = machine.withLock {
            $0.bodyArrived(bytes, mayOverfill: mayOverfill)
        }
        perform(effects)
        return receipt
    }

    func ended(_ result: Result<Void, TransferError>) {
        perform(machine.withLock { $0.ended(result) })
    }

    private func perform(_ effects: Machine.Effects) {
        if let (reader, result) = effects.head { reader.resume(with: result) }
        if let (reader, result) = effects.body { reader.resume(with: result) }
        if effects.resumes { engine.resume(self) }
        if effects.stops { engine.stop(self) }
    }
}
