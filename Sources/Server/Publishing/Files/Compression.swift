import CCompression

/// The encodings in which text files stand ready beside the plain ones.
enum ContentEncoding: String, CaseIterable {
    case gzip = "gz"
    case brotli = "br"

    /// Compresses; `nil` when it would not save a tenth, or failed.
    ///
    /// The levels are those at which the time for twice the effort buys less than 3 % of size
    /// on blueprints (gzip 6, brotli 5).
    func compress(_ bytes: [UInt8]) -> [UInt8]? {
        let capacity =
            self == .gzip
            ? underway_gzip_bound(bytes.count) : underway_brotli_bound(bytes.count)
        let output = [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count =
                self == .gzip
                ? underway_gzip(bytes, bytes.count, base, capacity, 6)
                : underway_brotli(bytes, bytes.count, base, capacity, 5)
        }
        return output.isEmpty || output.count * 10 > bytes.count * 9 ? nil : output
    }

    /// True for files whose content is text, by their ending.
    static func pays(for path: String) -> Bool {
        guard let dot = path.lastIndex(of: ".") else { return false }
        return textEndings.contains(String(path[path.index(after: dot)...]).lowercased())
    }

    private static let textEndings: Set<String> = [
        "json", "txt", "svg", "md", "html", "css", "js", "csv", "xml", "yaml", "yml", "strings",
    ]
}
