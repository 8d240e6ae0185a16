/// The parameters of a statement in the form of libpq.
@safe struct ParameterBuffer {
    /// All values one after the other, each followed by a NUL.
    private var bytes: [CChar] = []
    private var offsets: [Int?] = []
    private(set) var types: [UInt32] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// Collects parameters.
    ///
    /// - Throws: `PostgresError` in phase `encoding` for a value that the server could not receive.
    init(_ parameters: [PostgresValue]) throws(PostgresError) {
        guard parameters.count <= 65_535 else {
            throw PostgresError(.misplacedStatement, .encoding)
        }
        for parameter in parameters {
            types.append(parameter.type.rawValue)
            switch parameter.content {
            case .null: append(nil, format: 0)
            case .text(let bytes): append(bytes, format: 0)
            case .binary(let bytes):
                // The server's limit of a field is 1 GB; a length is a signed 32-bit number.
                guard bytes.count < 1 << 30 else {
                    throw PostgresError(.misplacedStatement, .encoding)
                }
                append(bytes, format: 1)
            case .refused(let code): throw PostgresError(code, .encoding)
            }
        }
    }

    private mutating func append(_ value: [UInt8]?, format: Int32) {
        offsets.append(value.map { _ in bytes.count })
        lengths.append(Int32(value?.count ?? 0))
        formats.append(format)
        guard let value else { return }
        unsafe value.withUnsafeBytes { value in
            unsafe bytes.append(contentsOf: value.bindMemory(to: CChar.self))
        }
        bytes.append(0)
    }

    /// Calls a function with the arrays of libpq, which are valid during the call.
    func withPointers<Result>(
        _ body: (
            Int32, UnsafePointer<UInt32>?, UnsafePointer<UnsafePointer<CChar>?>?,
            UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            let values = unsafe offsets.map { offset -> UnsafePointer<CChar>? in
                guard let offset, let base = bytes.baseAddress else { return nil }
                return unsafe base + offset
            }
            return unsafe types.withUnsafeBufferPointer { types in
                unsafe values.withUnsafeBufferPointer { values in
                    unsafe lengths.withUnsafeBufferPointer { lengths in
                        unsafe formats.withUnsafeBufferPointer { formats in
                            unsafe body(
                                Int32(types.count), types.baseAddress, values.baseAddress,
                                lengths.baseAddress, formats.baseAddress)
                        }
                    }
                }
            }
        }
    }
}
