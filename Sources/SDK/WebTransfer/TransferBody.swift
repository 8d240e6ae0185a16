import Synchronization

/// The body of a reply: bounded in length, in chunks of bounded size.
///
/// The sender waits while it is not read. The transfer ends with the last reference.
package final class TransferBody: Sendable {
    private struct State: ~Copyable {
        var decoder: BodyDecoder
        var decodedBytes = 0
    }

    private let reply: Reply
    private let bytesMax: Int
    private let state: Mutex<State>

    init(_ reply: Reply, contentEncoding: String?, bytesMax: Int) throws(TransferError) {
        self.reply = reply
        self.bytesMax = bytesMax
        state = Mutex(State(decoder: try BodyDecoder(contentEncoding)))
    }

    deinit { reply.cancel(.cancelled) }

    /// Returns the next bytes, decoded; `nil` at the end.
    ///
    /// - Throws: `TransferError`; `tooLong` above the maximum, `cancelled` when the task was.
    package func next() async throws -> [UInt8]? {
        do {
            while true {
                if let piece = try decoded() { return piece }
                guard let bytes = try await reply.next() else {
                    try state.withLock { try $0.decoder.finish() }
                    return nil
                }
                state.withLock { $0.decoder.push(bytes) }
            }
        } catch let error as TransferError {
            reply.cancel(error)
            throw error
        }
    }

    private func decoded() throws -> [UInt8]? {
        try state.withLock { state in
            guard let piece = try state.decoder.next() else { return nil }
            state.decodedBytes += piece.count
            guard state.decodedBytes <= bytesMax else { throw TransferError.tooLong(bytesMax) }
            return piece
        }
    }

    /// Reads the complete body.
    ///
    /// - Throws: `TransferError`.
    package func collect() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let piece = try await next() { bytes += piece }
        return bytes
    }
}
