/// The format and size of an image, from its first bytes.
struct ImageHeader {
    let format: AssetImage.Format
    let width: Int
    let height: Int

    /// Parses a header; `nil` when the bytes are no known image, or end too early.
    init?(_ bytes: [UInt8]) {
        let reader = ByteReader(bytes: bytes)
        if reader.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self.init(png: reader)
        } else if reader.starts(with: [0xFF, 0xD8, 0xFF]) {
            self.init(jpeg: reader)
        } else if reader.starts(with: Array("GIF87a".utf8))
            || reader.starts(with: Array("GIF89a".utf8))
        {
            self.init(gif: reader)
        } else if reader.starts(with: Array("RIFF".utf8)), reader.text(at: 8) == "WEBP" {
            self.init(webp: reader)
        } else {
            return nil
        }
    }

    private init?(_ format: AssetImage.Format, _ width: Int?, _ height: Int?) {
        guard let width, let height else { return nil }
        self.format = format
        self.width = width
        self.height = height
    }

    /// Reads IHDR, which is the first chunk (PNG, third edition, 11.2.1); the last is IEND.
    private init?(png reader: ByteReader) {
        let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        guard reader.text(at: 12) == "IHDR", reader.bytes.suffix(12).elementsEqual(end) else {
            return nil
        }
        self.init(.png, reader.big(at: 16, count: 4), reader.big(at: 20, count: 4))
    }

    /// Reads the logical screen (GIF89a, 18); the file ends with a trailer.
    private init?(gif reader: ByteReader) {
        guard reader.bytes.last == 0x3B else { return nil }
        self.init(.gif, reader.little(at: 6, count: 2), reader.little(at: 8, count: 2))
    }

    /// Walks the segments to the start of the frame (ITU-T T.81, B.2.2).
    private init?(jpeg reader: ByteReader) {
        var position = 2
        while let marker = reader.big(at: position, count: 2), marker > 0xFF00 {
            // Fill bytes may precede a marker.
            if marker == 0xFFFF {
                position += 1
                continue
            }
            guard let length = reader.big(at: position + 2, count: 2), length >= 2 else {
                return nil
            }
            let isFrame =
                (0xFFC0...0xFFCF).contains(marker) && ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker)
            if isFrame {
                self.init(
                    .jpeg, reader.big(at: position + 7, count: 2),
                    reader.big(at: position + 5, count: 2))
                return
            }
            // After the start of the picture no frame follows.
            guard marker != 0xFFDA, marker != 0xFFD9 else { return nil }
            position += 2 + length
        }
        return nil
    }

    /// Reads one of the three kinds of chunk that may come first (RFC 9649, sections 2.5 to 2.7).
    private init?(webp reader: ByteReader) {
        guard let size = reader.little(at: 4, count: 4), size + 8 <= reader.bytes.count else {
            return nil
        }
        switch reader.text(at: 12) {
        case "VP8 ":
            guard reader.little(at: 23, count: 3) == 0x2A019D else { return nil }
            self.init(
                .webp, reader.little(at: 26, count: 2).map { $0 & 0x3FFF },
                reader.little(at: 28, count: 2).map { $0 & 0x3FFF })
        case "VP8L":
            guard reader.little(at: 20, count: 1) == 0x2F,
                let bits = reader.little(at: 21, count: 4)
            else { return nil }
            self.init(.webp, (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case "VP8X":
            self.init(
                .webp, reader.little(at: 24, count: 3).map { $0 + 1 },
                reader.little(at: 27, count: 3).map { $0 + 1 })
        default: return nil
        }
    }
}

/// Numbers in bytes, `nil` beyond their end.
private struct ByteReader {
    let bytes: [UInt8]

    func starts(with start: [UInt8]) -> Bool { bytes.starts(with: start) }

    func text(at position: Int) -> String? {
        guard position + 4 <= bytes.count else { return nil }
        return String(decoding: bytes[position..<position + 4], as: UTF8.self)
    }

    func big(at position: Int, count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        return bytes[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
    }

    func little(at position: Int, count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
