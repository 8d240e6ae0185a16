/// The bytes of a parameter while it is encoded.
public struct PostgresBinaryWriter {
    /// The bytes so far.
    public private(set) var bytes: [UInt8] = []

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    /// Appends an integer in network byte order.
    public mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        var shift = Number.bitWidth
        while shift > 0 {
            shift -= 8
            bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    /// Appends bytes.
    public mutating func append(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

    /// Overwrites a number.
    mutating func replace(at offset: Int, _ number: Int32) {
        for index in 0..<4 {
            bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * Int32(index)))
        }
    }
}
