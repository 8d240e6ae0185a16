/// The checksums of a manifest as text: their places, and the copy in which new ones are predicted.
package struct ManifestOrdinals: Sendable {
    /// The mark before each checksum: eight bytes, no two alike.
    private static let mark = Array("\"sha256:".utf8)
    private static let sizeMark = Array("\",\"size\":".utf8)
    /// The number of digits of a checksum.
    package static let digitCount = 64

    /// The bytes of the manifest.
    package let bytes: [UInt8]
    /// For each checksum the place of its first digit, ascending.
    package let places: [Int]

    /// Finds the checksums; one that is truncated at the end counts as none.
    package init(_ manifest: [UInt8]) {
        bytes = manifest
        places = manifest.withUnsafeBytes { Self.places(in: $0) }
    }

    /// Finds the same, faster for a manifest that hardly differs from another one, such as that of the previous
    /// release.
    package init(_ manifest: [UInt8], like other: ManifestOrdinals) {
        bytes = manifest
        let areSame = manifest.withUnsafeBytes { own in
            other.bytes.withUnsafeBytes { Self.areMarks(at: other.places, of: $0, in: own) }
        }
        places = areSame ? other.places : manifest.withUnsafeBytes { Self.places(in: $0) }
    }

    /// True when a search in one text finds the places of another.
    ///
    /// The text between the digits of two checksums must be equal, or have only the next mark.
    private static func areMarks(
        at places: [Int], of other: UnsafeRawBufferPointer, in own: UnsafeRawBufferPointer
    ) -> Bool {
        guard own.count == other.count else { return false }
        var start = 0
        for place in places {
            let end = place - mark.count
            guard agrees(start..<place, other, own) || firstMark(start...end, own) == end else {
                return false
            }
            start = place + digitCount
        }
        let last = own.count - mark.count - digitCount
        return agrees(start..<own.count, other, own) || last < start
            || firstMark(start...last, own) == nil
    }

    private static func agrees(
        _ range: Range<Int>, _ one: UnsafeRawBufferPointer, _ two: UnsafeRawBufferPointer
    ) -> Bool {
        func difference(_ place: Int) -> UInt64 {
            one.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                ^ two.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        }
        var place = range.lowerBound
        // Four at a time, which the processor does at once.
        while place + 32 <= range.upperBound {
            let differences =
                difference(place) | difference(place + 8) | difference(place + 16)
                | difference(place + 24)
            guard differences == 0 else { return false }
            place += 32
        }
        while place < range.upperBound {
            guard one[place] == two[place] else { return false }
            place += 1
        }
        return true
    }

    private static func firstMark(
        _ range: ClosedRange<Int>, _ text: UnsafeRawBufferPointer
    ) -> Int? {
        let mark = mark.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        return range.first { text.loadUnaligned(fromByteOffset: $0, as: UInt64.self) == mark }
    }

    /// Searches for the mark by its last byte (Horspool, 1980): most steps skip as many bytes as it has.
    private static func places(in manifest: UnsafeRawBufferPointer) -> [Int] {
        let mark = mark.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
        let size = Self.mark.count
        let last = manifest.count - size - digitCount
        var places: [Int] = []
        steps.withUnsafeBufferPointer { steps in
            var index = 0
            while index <= last {
                if manifest.loadUnaligned(fromByteOffset: index, as: UInt64.self) == mark {
                    places.append(index + size)
                    index += size + digitCount
                } else {
                    index += steps[Int(manifest[index + size - 1])]
                }
            }
        }
        return places
    }

    /// The distance for each byte by which the mark can be moved when that byte is not its last.
    private static let steps: [Int] = {
        var steps = [Int](repeating: mark.count, count: 256)
        for (place, byte) in mark.dropLast().enumerated() {
            steps[Int(byte)] = mark.count - 1 - place
        }
        return steps
    }()

    /// Returns the digits of a checksum; not always well formed, since the text is not parsed.
    package func digits(_ ordinal: Int) -> ArraySlice<UInt8> {
        bytes[places[ordinal]..<(places[ordinal] + Self.digitCount)]
    }

    /// A number for each checksum by which two manifests are compared: 16 of its digits, so two almost never collide.
    package var keys: [UInt64] {
        bytes.withUnsafeBytes { bytes in
            places.map { place in
                let one = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                let two = bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt64.self)
                return one &* 0x9E37_79B9_7F4A_7C15 ^ two
            }
        }
    }

    /// Returns the manifest with the digits and sizes of new objects in the places of those that they replace.
    ///
    /// - Parameter objects: The ordinals, ascending, each with the digits and the size of its new object.
    /// - Returns: The text, which need not be a manifest.
    package func predicted(
        _ objects: [(ordinal: Int, digits: [UInt8], size: Int)]
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + objects.count)
        var done = 0
        for object in objects {
            let place = places[object.ordinal]
            result += bytes[done..<place]
            result += object.digits
            done = place + Self.digitCount
            let behind = done + Self.sizeMark.count
            guard behind <= bytes.count, bytes[done..<behind].elementsEqual(Self.sizeMark) else {
                continue
            }
            result += Self.sizeMark
            result += String(object.size).utf8
            done = behind
            while done < bytes.count, (0x30...0x39).contains(bytes[done]) { done += 1 }
        }
        result += bytes[done...]
        return result
    }
}
