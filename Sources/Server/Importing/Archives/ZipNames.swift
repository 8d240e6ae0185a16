/// The names in the directory at the end of a zip archive, without unpacking anything.
enum ZipNames {
    /// Returns the names; none for bytes that are no archive.
    static func names(in bytes: [UInt8]) -> Set<String> {
        guard bytes.starts(with: [0x50, 0x4B]), var place = directory(bytes) else { return [] }
        var names: Set<String> = []
        while place + 46 <= bytes.count, bytes[place...].starts(with: [0x50, 0x4B, 1, 2]) {
            let length = number(bytes, at: place + 28)
            let start = place + 46
            guard start + length <= bytes.count else { break }
            names.insert(String(decoding: bytes[start..<start + length], as: UTF8.self))
            place = start + length + number(bytes, at: place + 30) + number(bytes, at: place + 32)
        }
        return names
    }

    /// Returns the place of the directory, which the last record of an archive names.
    private static func directory(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 22 else { return nil }
        let first = max(0, bytes.count - 22 - 0xFFFF)
        for place in stride(from: bytes.count - 22, through: first, by: -1)
        where bytes[place] == 0x50 && bytes[place...].starts(with: [0x50, 0x4B, 5, 6]) {
            let start = number(bytes, at: place + 16) | number(bytes, at: place + 18) << 16
            return start < bytes.count ? start : nil
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], at place: Int) -> Int {
        Int(bytes[place]) | Int(bytes[place + 1]) << 8
    }
}
