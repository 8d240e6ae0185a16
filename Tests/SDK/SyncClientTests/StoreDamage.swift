import Foundation
import TestSupport

/// One kind of damage to the files of a store.
enum StoreDamage: CaseIterable {
    case randomPage, severalPages, swappedPage, zeroPage, header, truncation, flippedBits, noise
    case log, emptied

    static func random(using random: inout SeededGenerator) -> StoreDamage {
        // allCases is not empty.
        allCases.randomElement(using: &random) ?? .randomPage
    }

    /// Damages the files in a folder; returns what was done.
    func apply(to folder: URL, using random: inout SeededGenerator) throws -> String {
        let file = folder.appending(path: "content.sqlite")
        let log = folder.appending(path: "content.sqlite-wal")
        // The log of a store that was just copied may hold everything.
        let isLog = self == .log && FileManager.default.fileExists(atPath: log.path)
        let target = try isLog ? log : Self.larger(file, log)
        var bytes = [UInt8](try Data(contentsOf: target))
        guard !bytes.isEmpty else { return "nothing" }
        let pages = max(1, bytes.count / 4096)
        switch self {
        case .randomPage, .log: fill(&bytes, .random(in: 0..<pages, using: &random), &random)
        case .severalPages:
            for _ in 0..<4 { fill(&bytes, .random(in: 0..<pages, using: &random), &random) }
        case .swappedPage:
            let (from, to) = (
                Int.random(in: 0..<pages, using: &random), Int.random(in: 0..<pages, using: &random)
            )
            for index in 0..<4096 where max(from, to) * 4096 + index < bytes.count {
                bytes[to * 4096 + index] = bytes[from * 4096 + index]
            }
        case .zeroPage:
            let page = Int.random(in: 0..<pages, using: &random)
            for index in page * 4096..<min(bytes.count, (page + 1) * 4096) { bytes[index] = 0 }
        case .header: for index in 0..<min(100, bytes.count) { bytes[index] = random.byte() }
        case .truncation: bytes.removeLast(.random(in: 1...bytes.count, using: &random))
        case .flippedBits:
            for _ in 0..<20 {
                bytes[.random(in: 0..<bytes.count, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
            }
        case .noise: for index in bytes.indices { bytes[index] = random.byte() }
        case .emptied: bytes = []
        }
        // In place, as a failing disk does it: who has the file open sees it.
        let handle = try FileHandle(forWritingTo: target)
        try handle.write(contentsOf: Data(bytes))
        try handle.truncate(atOffset: UInt64(bytes.count))
        try handle.close()
        return "\(self) of \(target.lastPathComponent)"
    }

    private func fill(_ bytes: inout [UInt8], _ page: Int, _ random: inout SeededGenerator) {
        for index in page * 4096..<min(bytes.count, (page + 1) * 4096) {
            bytes[index] = random.byte()
        }
    }

    private static func larger(_ first: URL, _ second: URL) throws -> URL {
        let sizes = [first, second].map {
            (try? FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? Int) ?? 0
        }
        return sizes[0] >= sizes[1] ? first : second
    }
}

extension SeededGenerator {
    fileprivate mutating func byte() -> UInt8 { .random(in: 0...255, using: &self) }
}
