/// The beginning of a file with pixels, in which each format has the size at its own place.
struct PictureBytes {
    private let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    // MARK: Numbers

    /// Returns bytes as a number, the first byte first; `nil` beyond the end.
    private func number(_ place: Int, _ count: Int, isBigEndian: Bool) -> Int? {
        guard place >= 0, place <= bytes.count - count else { return nil }
        let part = bytes[place..<place + count]
        return (isBigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
    }

    private func big(_ place: Int, _ count: Int) -> Int? { number(place, count, isBigEndian: true) }

    private func little(_ place: Int, _ count: Int) -> Int? {
        number(place, count, isBigEndian: false)
    }

    private func has(_ text: String, at place: Int) -> Bool {
        bytes.dropFirst(place).starts(with: text.utf8)
    }

    private func size(_ width: Int?, _ height: Int?) -> PictureSize? {
        guard let width, let height else { return nil }
        return PictureSize(width: width, height: height)
    }

    // MARK: Formats

    /// The size in the first chunk (PNG Specification, third edition, section 11.2.1).
    var png: PictureSize? {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
            has("IHDR", at: 12)
        else { return nil }
        return size(big(16, 4), big(20, 4))
    }

    /// The size of the logical screen (GIF89a, section 18).
    var gif: PictureSize? {
        guard has("GIF87a", at: 0) || has("GIF89a", at: 0) else { return nil }
        return size(little(6, 2), little(8, 2))
    }

    /// The size in the first chunk (RFC 9649, sections 2.5 to 2.7; RFC 6386, section 9.1).
    var webP: PictureSize? {
        guard has("RIFF", at: 0), has("WEBP", at: 8) else { return nil }
        if has("VP8X", at: 12) {
            return size(little(24, 3).map { $0 + 1 }, little(27, 3).map { $0 + 1 })
        }
        if has("VP8L", at: 12), big(20, 1) == 0x2F, let bits = little(21, 4) {
            return size(bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        guard has("VP8 ", at: 12), big(23, 3) == 0x9D012A else { return nil }
        return size(little(26, 2).map { $0 & 0x3FFF }, little(28, 2).map { $0 & 0x3FFF })
    }

    /// The size in the header of the frame (ITU-T T.81, section B.2.2), turned as the camera noted.
    ///
    /// Cost: one step for each segment before the frame, each of at least two bytes.
    var jpeg: PictureSize? {
        guard big(0, 2) == 0xFFD8 else { return nil }
        var (place, isTurned) = (2, false)
        while let marker = big(place, 2), marker > 0xFF00 {
            guard marker != 0xFFFF else {
                place += 1  // A byte of filling.
                continue
            }
            guard let length = big(place + 2, 2), length >= 2 else { return nil }
            switch marker & 0xFF {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                let sides = (big(place + 7, 2), big(place + 5, 2))
                return isTurned ? size(sides.1, sides.0) : size(sides.0, sides.1)
            case 0xD8...0xDA: return nil  // The frame would have come before.
            case 0xE1:
                isTurned = isTurned || liesOnItsSide(exifAt: place + 4, end: place + 2 + length)
            default: break
            }
            place += 2 + length
        }
        return nil
    }

    /// Returns whether a segment says that the picture lies on its side (Exif 2.32, tag 0x0112, values 5 to 8), which a
    /// browser sets right.
    private func liesOnItsSide(exifAt place: Int, end: Int) -> Bool {
        guard has("Exif\0\0", at: place) else { return false }
        let start = place + 6
        let isBig = has("MM", at: start)
        let read = { (place: Int, count: Int) in number(place, count, isBigEndian: isBig) }
        guard isBig || has("II", at: start), let offset = read(start + 4, 4),
            let count = read(start + offset, 2)
        else { return false }
        for index in 0..<count {
            let entry = start + offset + 2 + index * 12
            guard entry + 12 <= end, let tag = read(entry, 2) else { return false }
            if tag == 0x0112 { return (5...8).contains(read(entry + 8, 2) ?? 0) }
        }
        return false
    }
}
