import Importing

extension ImportedAddresses {
    private static let linesMax = 20

    /// The list for people; `--json` has more of it.
    var lines: [String] {
        var lines = [Console.styled("pictures by address: \(count)", .bold)]
        lines += pictures.prefix(Self.linesMax).map { "  " + Self.line($0) }
        if count > Self.linesMax { lines.append("  … and \(count - Self.linesMax) more") }
        if let fetchable, fetchable > 0 {
            lines.append("  --fetch-media --write fetches \(fetchable) of them")
        }
        return lines
    }

    private static func line(_ picture: Picture) -> String {
        let size = picture.bytes.map { " (\(Console.bytes($0)))" } ?? ""
        if let file = picture.file { return "\(picture.address) became media/\(file)\(size)" }
        return picture.address + size + (picture.reason.map { ": " + $0 } ?? "")
    }
}
