/// The names in a folder of the content at some state of it.
struct FolderListing: Hashable, Sendable {
    /// The path relative to the content folder.
    var path: String
    var stamp: FileStamp
    var names: [String]
}

extension FolderListing: IndexRecord {
    var recordKey: [UInt8] { Array(path.utf8) }

    init(key: StoredText, from reader: inout IndexReader) throws(IndexReader.Damage) {
        path = key.string
        stamp = try reader.stamp()
        names = []
        let count = try reader.count()
        names.reserveCapacity(count)
        for _ in 0..<count { names.append(try reader.text()) }
    }

    static func check(
        key: StoredText, _ reader: inout IndexReader
    ) throws(IndexReader.Damage) {
        _ = try reader.stamp()
        for _ in 0..<(try reader.count()) { _ = try reader.rawText() }
    }

    func write(to writer: inout IndexWriter) {
        writer.add(stamp)
        writer.add(count: names.count)
        for name in names { writer.add(name) }
    }
}

extension RecordTable<FolderListing> {
    /// Returns the listing of a folder, unless the folder changed since.
    func listing(of folder: String, _ stamp: FileStamp) -> FolderListing? {
        self[Array(folder.utf8)].flatMap { $0.stamp == stamp ? $0 : nil }
    }
}
