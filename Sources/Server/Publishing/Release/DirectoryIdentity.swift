import ContentModel

/// The publisher's notes in a release directory, beside its index: the directory's name for
/// itself, and which compressed manifests were found to be right.
///
/// A copy of the directory has the same name. Without the notes, siblings are read once more.
struct DirectoryIdentity: Sendable, Equatable {
    static let path = ".underway/marks"
    private static let header = "underway-marks 1"

    /// 16 hexadecimal digits, drawn when the directory is made.
    var identity: String
    /// The manifest whose siblings were judged.
    var manifest: Checksum?
    /// The stamps of those that hold it.
    var siblings: [ContentEncoding: FileStamp] = [:]

    /// Marks of a directory that has none.
    init() {
        identity = Self.digits(UInt64.random(in: .min ... .max))
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }

    /// Returns true for 16 digits: the content folder writes down what stands here.
    private static func isIdentity(_ text: Substring) -> Bool {
        text.utf8.count == 16
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// One line a mark, its fields parted by spaces.
    var bytes: [UInt8] {
        var lines = [Self.header, "id " + identity]
        if let manifest {
            lines.append("manifest " + manifest.hex)
            for (encoding, stamp) in siblings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                lines.append(
                    "\(encoding.rawValue) \(stamp.size) \(stamp.modified) \(stamp.inode)")
            }
        }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Reads marks; `nil` when they are damaged or of another version.
    init?(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.count >= 2, lines[0] == Self.header else { return nil }
        var identity: Substring?
        for line in lines.dropFirst() {
            let fields = line.split(separator: " ")
            switch fields.first {
            case "id" where fields.count == 2 && Self.isIdentity(fields[1]): identity = fields[1]
            case "manifest" where fields.count == 2: manifest = Checksum(hex: String(fields[1]))
            default:
                let numbers = fields.dropFirst().compactMap { Int($0) }
                guard numbers.count == 3, let name = fields.first,
                    let encoding = ContentEncoding(rawValue: String(name))
                else { return nil }
                siblings[encoding] = FileStamp(
                    size: numbers[0], modified: numbers[1], inode: numbers[2])
            }
        }
        guard let identity else { return nil }
        self.identity = String(identity)
    }
}
