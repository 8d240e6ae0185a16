/// The receipt for offered bytes.
enum BodyReceipt {
    /// The bytes were accepted.
    case accepted
    /// The buffer is full; the bytes must be offered again.
    case full
    /// The transfer has ended.
    case refused
}

/// The state machine of a reply's reader and its sender.
///
/// It has no network and no tasks: events in, effects out.
///
/// ```
/// waiting → head → body … → ended
/// ```
struct ReplyMachine<HeadReader, BodyReader> {
    /// The effects to perform, in this order.
    struct Effects {
        var head: (reader: HeadReader, result: Result<TransferHead, TransferError>)?
        var body: (reader: BodyReader, result: Result<[UInt8]?, TransferError>)?
        /// True when the sender resumes.
        var resumes = false
        /// True when the network stops.
        var stops = false
    }

    private let bodyBytesMax: Int
    private var headReader: HeadReader?
    private var head: TransferHead?
    private var pieces: [[UInt8]] = []
    private var waitingBytes = 0
    private var receivedBytes = 0
    private var bodyReader: BodyReader?
    /// True when the sender waits for space in the buffer.
    private(set) var isPaused = false
    private var end: Result<Void, TransferError>?

    /// Creates the machine of a reply of which nothing has arrived.
    ///
    /// - Parameter bodyBytesMax: The maximum length of an encoded body, in bytes.
    init(bodyBytesMax: Int) { self.bodyBytesMax = bodyBytesMax }

    /// True when nothing more can arrive.
    var hasEnded: Bool { end != nil }

    // MARK: The reader

    /// Registers the reader of the head.
    mutating func headWanted(by reader: HeadReader) -> Effects {
        if case .failure(let error)? = end { return Effects(head: (reader, .failure(error))) }
        if let head { return Effects(head: (reader, .success(head))) }
        headReader = reader
        return Effects()
    }

    /// Registers the reader of the body's next bytes; one at a time.
    mutating func bodyWanted(by reader: BodyReader) -> Effects {
        var effects = Effects()
        if case .failure(let error)? = end {
            effects.body = (reader, .failure(error))
        } else if !pieces.isEmpty {
            let piece = pieces.removeFirst()
            waitingBytes -= piece.count
            effects.body = (reader, .success(piece))
            if isPaused, waitingBytes <= TransferLimits.bufferBytesLow {
                isPaused = false
                effects.resumes = true
            }
        } else if end != nil {
            effects.body = (reader, .success(nil))
        } else if bodyReader != nil {
            effects.body = (
                reader, .failure(TransferError(.offline, "The body has another reader."))
            )
        } else {
            bodyReader = reader
        }
        return effects
    }

    /// Ends the reply, because its reader cancelled or its maximum length was reached.
    mutating func cancelled(_ error: TransferError) -> Effects { ended(.failure(error)) }

    // MARK: The sender

    /// Delivers a complete head.
    mutating func headArrived(_ head: TransferHead) -> Effects {
        guard end == nil, self.head == nil else { return Effects() }
        self.head = head
        defer { headReader = nil }
        return Effects(head: headReader.map { ($0, .success(head)) })
    }

    /// Delivers or buffers bytes of the body.
    ///
    /// - Parameters:
    ///   - bytes: The encoded bytes.
    ///   - mayOverfill: True when they cannot be offered again: then `full` has buffered them.
    /// - Returns: The receipt and the effects.
    mutating func bodyArrived(_ bytes: [UInt8], mayOverfill: Bool) -> (BodyReceipt, Effects) {
        guard end == nil else { return (.refused, Effects()) }
        let isFull =
            bodyReader == nil && waitingBytes + bytes.count > TransferLimits.bufferBytesMax
        isPaused = isFull
        if isFull, !mayOverfill { return (.full, Effects()) }
        guard countFits(bytes.count) else {
            return (.refused, ended(.failure(.tooLong(bodyBytesMax))))
        }
        if let reader = bodyReader {
            bodyReader = nil
            return (.accepted, Effects(body: (reader, .success(bytes))))
        }
        pieces.append(bytes)
        waitingBytes += bytes.count
        return (isFull ? .full : .accepted, Effects())
    }

    private mutating func countFits(_ count: Int) -> Bool {
        receivedBytes += count
        return receivedBytes <= bodyBytesMax
    }

    /// Ends the reply.
    ///
    /// Buffered bytes can still be read, unless it ended by a failure.
    mutating func ended(_ result: Result<Void, TransferError>) -> Effects {
        guard end == nil else { return Effects() }
        var result = result
        if case .success = result, head == nil {
            result = .failure(TransferError(.offline, "The reply ended within its head."))
        }
        end = result
        var effects = Effects()
        switch result {
        case .failure(let error):
            pieces = []
            waitingBytes = 0
            if let headReader { effects.head = (headReader, .failure(error)) }
            if let bodyReader { effects.body = (bodyReader, .failure(error)) }
            effects.stops = true
        case .success:
            if let bodyReader { effects.body = (bodyReader, .success(nil)) }
        }
        headReader = nil
        bodyReader = nil
        return effects
    }
}
