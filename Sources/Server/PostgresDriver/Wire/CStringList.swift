/// A list of C strings that ends with NULL.
@safe struct CStringList {
    private let bytes: [CChar]
    private let offsets: [Int]

    init(_ texts: [String]) {
        var bytes: [CChar] = []
        var offsets: [Int] = []
        for text in texts {
            offsets.append(bytes.count)
            bytes += text.utf8.map { CChar(bitPattern: $0) } + [0]
        }
        self.bytes = bytes
        self.offsets = offsets
    }

    /// Calls a function with the list, which is valid during the call.
    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            let pointers = unsafe offsets.map { offset -> UnsafePointer<CChar>? in
                unsafe bytes.baseAddress.map { unsafe $0 + offset }
            }
            return unsafe (pointers + [nil]).withUnsafeBufferPointer { list in
                unsafe body(list.baseAddress)
            }
        }
    }
}
