#if os(Linux)
import CTransfer
#endif

/// The removal of a body's content encoding, one bounded chunk at a time.
struct BodyDecoder: ~Copyable {
    private enum Encoding {
        case none
        case gzip
        case brotli
    }

    private let encoding: Encoding
    private var input: [UInt8] = []
    private var offset = 0
    private var isComplete = true
    #if os(Linux)
    private var decoder: OpaquePointer?
    #endif

    /// Creates a decoder for the value of `Content-Encoding`; it does nothing when the engine has decoded the body.
    ///
    /// - Throws: `TransferError` for an encoding that was not requested.
    init(_ contentEncoding: String?) throws(TransferError) {
        switch contentEncoding?.lowercased() {
        case nil, "", "identity": encoding = .none
        #if os(Linux)
        case "gzip", "x-gzip":
            encoding = .gzip
            decoder = underway_decoder_make(Int32(underway_gzip_decoder))
        case "br":
            encoding = .brotli
            decoder = underway_decoder_make(Int32(underway_brotli_decoder))
        #endif
        default:
            throw TransferError(.offline, "The reply has an encoding that was not asked for.")
        }
    }

    #if os(Linux)
    deinit { if let decoder { underway_decoder_free(decoder) } }
    #endif

    /// Appends encoded bytes; call it after the earlier ones were decoded.
    mutating func push(_ bytes: [UInt8]) {
        input = bytes
        offset = 0
    }

    /// Returns the next decoded bytes; `nil` when there are none before more arrive.
    ///
    /// - Throws: `TransferError` when the bytes are damaged.
    mutating func next() throws(TransferError) -> [UInt8]? {
        guard encoding != .none else {
            guard offset < input.count else { return nil }
            offset = input.count
            defer { input = [] }
            return input
        }
        #if os(Linux)
        return try step()
        #else
        return nil
        #endif
    }

    /// Checks that the encoded bytes are complete.
    ///
    /// - Throws: `TransferError` when they are not.
    func finish() throws(TransferError) {
        guard isComplete else {
            throw TransferError(.offline, "The reply ended before its encoding did.")
        }
    }

    #if os(Linux)
    private mutating func step() throws(TransferError) -> [UInt8]? {
        guard let decoder else {
            throw TransferError(.offline, "There is no memory to decode the reply.")
        }
        // Without input too: earlier bytes may decode to more.
        var state = Int32(underway_decoder_has_more)
        while state == Int32(underway_decoder_has_more) || offset < input.count {
            var read = input.count - offset
            var written = TransferLimits.pieceBytesMax
            let output = [UInt8](unsafeUninitializedCapacity: written) { output, count in
                input.withUnsafeBufferPointer { bytes in
                    state = underway_decoder_step(
                        decoder, bytes.baseAddress.map { $0 + offset }, &read,
                        output.baseAddress, &written)
                }
                count = written
            }
            offset += read
            guard state != underway_decoder_damaged else {
                throw TransferError(.offline, "The encoding of the reply is damaged.")
            }
            if read > 0 || !output.isEmpty { isComplete = state == underway_decoder_done }
            if !output.isEmpty { return output }
            if read == 0 { break }
        }
        return nil
    }
    #endif
}
