/// A window of VCDIFF (RFC 3284): a file as copies from a base and from itself, and new bytes.
///
/// The form of section 4.3 without its length and indicator: the lengths of the result and of three sections, then data,
/// instructions and addresses. The base is the source segment, the code table is the default one.
package enum DeltaWindow {
    /// Decodes a window.
    ///
    /// - Parameters:
    ///   - reader: A reader at the start of the window; afterwards at its end.
    ///   - base: The bytes from which it copies.
    ///   - bytesMax: The maximum length of the result.
    /// - Returns: The result.
    /// - Throws: `ChangesetError` `damaged`, also for bytes that the window does not need.
    package static func decode(
        _ reader: inout ChangesetReader, base: [UInt8], bytesMax: Int
    ) throws(ChangesetError) -> [UInt8] {
        let length = try reader.integer(max: bytesMax)
        let dataLength = try reader.integer(max: reader.remaining)
        let instructionLength = try reader.integer(max: reader.remaining)
        let addressLength = try reader.integer(max: reader.remaining)
        var decoder = Decoder(
            base: base, data: try reader.part(dataLength),
            instructions: try reader.part(instructionLength),
            addresses: try reader.part(addressLength), length: length)
        return try decoder.run()
    }

    private struct Decoder {
        let base: [UInt8]
        var data: ChangesetReader
        var instructions: ChangesetReader
        var addresses: ChangesetReader
        let length: Int
        var cache = AddressCache()
        var result: [UInt8] = []

        mutating func run() throws(ChangesetError) -> [UInt8] {
            result.reserveCapacity(length)
            while !instructions.isAtEnd {
                let code = CodeTable.standard[Int(try instructions.byte())]
                try perform(code.first)
                if let second = code.second { try perform(second) }
            }
            guard result.count == length, data.isAtEnd, addresses.isAtEnd else {
                throw .damaged("a window does not have its stated lengths")
            }
            return result
        }

        private mutating func perform(_ instruction: CodeTable.Instruction) throws(ChangesetError) {
            let room = length - result.count
            let size =
                instruction.size == 0 ? try instructions.integer(max: room) : instruction.size
            guard size > 0, size <= room else {
                throw .damaged("a window has an instruction of no use, or is longer than it says")
            }
            switch instruction.kind {
            case .run: result += repeatElement(try data.byte(), count: size)
            case .add: result += try data.bytes(size)
            case .copy(let mode): try copy(size, mode)
            }
        }

        private mutating func copy(_ size: Int, _ mode: Int) throws(ChangesetError) {
            let here = base.count + result.count
            let address = try cache.address(from: &addresses, here: here, mode: mode)
            guard address < here else {
                throw .damaged("a window copies what is not there")
            }
            guard address + size > base.count else {
                result += base[address..<(address + size)]
                return
            }
            // Into its own result, which may grow under the copy.
            for place in address..<(address + size) {
                result.append(place < base.count ? base[place] : result[place - base.count])
            }
        }
    }
}

/// The caches of addresses (RFC 3284, section 5.1): four near ones, three times 256 same ones.
package struct AddressCache: Sendable {
    package static let nearCount = 4
    package static let sameCount = 3
    private var near = [Int](repeating: 0, count: nearCount)
    private var same = [Int](repeating: 0, count: sameCount * 256)
    private var next = 0

    package init() {}

    /// Reads an address.
    ///
    /// - Throws: `ChangesetError` `damaged` for one that is not before `here`.
    mutating func address(
        from reader: inout ChangesetReader, here: Int, mode: Int
    ) throws(ChangesetError) -> Int {
        let address: Int
        switch mode {
        case 0: address = try reader.integer(max: here)
        case 1: address = here - (try reader.integer(max: here))
        case 2..<(2 + Self.nearCount):
            address = near[mode - 2] + (try reader.integer(max: here))
        default:
            let place = (mode - 2 - Self.nearCount) * 256 + Int(try reader.byte())
            address = same[place]
        }
        guard address >= 0, address <= here else { throw .damaged("an address is out of bounds") }
        note(address)
        return address
    }

    /// Returns the shortest form of an address: its mode, and its bytes.
    package mutating func form(of address: Int, here: Int) -> (mode: Int, bytes: [UInt8]) {
        var best: (mode: Int, bytes: [UInt8]) = (0, Self.encoded(address))
        func consider(_ mode: Int, _ bytes: [UInt8]) {
            if bytes.count < best.bytes.count { best = (mode, bytes) }
        }
        consider(1, Self.encoded(here - address))
        for (index, known) in near.enumerated() where address >= known {
            consider(2 + index, Self.encoded(address - known))
        }
        let place = address % (Self.sameCount * 256)
        if same[place] == address {
            consider(2 + Self.nearCount + place / 256, [UInt8(place % 256)])
        }
        note(address)
        return best
    }

    private mutating func note(_ address: Int) {
        near[next] = address
        next = (next + 1) % Self.nearCount
        same[address % (Self.sameCount * 256)] = address
    }

    private static func encoded(_ value: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(integer: value)
        return bytes
    }
}

/// The default table of instruction codes (RFC 3284, section 5.6).
package enum CodeTable {
    /// A kind of instruction.
    package enum Kind: Hashable, Sendable {
        case run
        case add
        case copy(mode: Int)
    }

    /// An instruction; a size of 0 is written after the code.
    package struct Instruction: Hashable, Sendable {
        package var kind: Kind
        package var size: Int

        package init(kind: Kind, size: Int) {
            self.kind = kind
            self.size = size
        }
    }

    /// One or two instructions of a code.
    package struct Code: Hashable, Sendable {
        package var first: Instruction
        package var second: Instruction?
    }

    /// The number of modes of addresses.
    package static let modeCount = 2 + AddressCache.nearCount + AddressCache.sameCount

    /// The 256 codes.
    package static let standard: [Code] = {
        var codes = [Code(first: Instruction(kind: .run, size: 0))]
        codes += (0...17).map { Code(first: Instruction(kind: .add, size: $0)) }
        for mode in 0..<modeCount {
            for size in [0] + (4...18) {
                codes.append(Code(first: Instruction(kind: .copy(mode: mode), size: size)))
            }
        }
        for mode in 0..<modeCount {
            for added in 1...4 {
                for copied in 4...(mode < 6 ? 6 : 4) {
                    codes.append(
                        Code(
                            first: Instruction(kind: .add, size: added),
                            second: Instruction(kind: .copy(mode: mode), size: copied)))
                }
            }
        }
        for mode in 0..<modeCount {
            codes.append(
                Code(
                    first: Instruction(kind: .copy(mode: mode), size: 4),
                    second: Instruction(kind: .add, size: 1)))
        }
        return codes
    }()
}
