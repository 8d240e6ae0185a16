/// A value that an index stores under a key.
protocol IndexRecord: Sendable, Equatable {
    /// The bytes that identify and order the record in its table.
    var recordKey: [UInt8] { get }

    /// Decodes a record.
    init(key: StoredText, from reader: inout IndexReader) throws(IndexReader.Damage)

    /// Skips over a record without decoding it.
    static func check(key: StoredText, _ reader: inout IndexReader) throws(IndexReader.Damage)

    /// Encodes the fields after the key.
    func write(to writer: inout IndexWriter)
}

/// The records of an index by their keys: as they stand in its bytes until one is asked for or changed.
///
/// A publish with one edit looks at thousands of records and changes one. Making values of all took it
/// longer than everything else, and as long again to free them.
struct RecordTable<Record: IndexRecord>: Sendable {
    /// The bytes of a whole index, or none.
    private let bytes: [UInt8]
    /// The place in the bytes at which each record begins, in the order of the keys.
    private let starts: [Int]
    /// True for the records in the bytes that were changed or removed since.
    private var isReplaced: [Bool]
    private var replacedCount = 0
    /// The records that were changed or added since.
    private(set) var changed: [[UInt8]: Record] = [:]

    init() { (bytes, starts, isReplaced) = ([], [], []) }

    init(_ records: some Sequence<Record>) {
        (bytes, starts, isReplaced) = ([], [], [])
        for record in records { changed[record.recordKey] = record }
    }

    /// Reads a table that stands in the bytes of an index; each record is walked over once.
    ///
    /// - Parameters:
    ///   - reader: A walk over `bytes[offset...]`.
    ///   - bytes: All bytes of the index, which the table shares.
    ///   - offset: The place in them at which the reader began.
    /// - Throws: `IndexReader.Damage` for a record that does not fit, or stands out of order.
    init(
        from reader: inout IndexReader, in bytes: [UInt8], offset: Int
    ) throws(IndexReader.Damage) {
        let count = try reader.count()
        var starts: [Int] = []
        starts.reserveCapacity(count)
        var previous: UnsafeRawBufferPointer?
        for _ in 0..<count {
            starts.append(offset + reader.offset)
            var record = IndexReader(try reader.run())
            let key = try record.rawText()
            // A table without order cannot be searched.
            if let previous, !previous.lexicographicallyPrecedes(key.bytes) { throw .init() }
            try Record.check(key: key, &record)
            guard record.isAtEnd else { throw .init() }
            previous = key.bytes
        }
        self.bytes = bytes
        self.starts = starts
        isReplaced = Array(repeating: false, count: count)
    }

    var count: Int { starts.count - replacedCount + changed.count }

    /// The number of records in the bytes of the index, changed and removed ones too.
    var storedCount: Int { starts.count }

    /// True when all records are those in the bytes of the index.
    var isAsStored: Bool { replacedCount == 0 && changed.isEmpty }

    // MARK: Values

    subscript(key: [UInt8]) -> Record? {
        get { changed[key] ?? storedRecord(key) }
        set {
            let position = position(of: key)
            let stored = position.map { record(at: $0) }
            // What is as it was stored is no change: an index without one is not written.
            let isStored = newValue != nil && newValue == stored
            changed[key] = isStored ? nil : newValue
            if let position { replace(position, !isStored) }
        }
    }

    private mutating func replace(_ position: Int, _ value: Bool) {
        guard isReplaced[position] != value else { return }
        isReplaced[position] = value
        replacedCount += value ? 1 : -1
    }

    private func storedRecord(_ key: [UInt8]) -> Record? {
        guard let position = position(of: key), !isReplaced[position] else { return nil }
        return record(at: position)
    }

    private func record(at position: Int) -> Record {
        withStored(position) { key, reader in
            do { return try Record(key: key, from: &reader) } catch {
                preconditionFailure("The record was walked over when the index was read.")
            }
        }
    }

    // MARK: Records where they stand

    /// The positions of records in the bytes that were neither changed nor removed.
    var storedPositions: some Sequence<Int> {
        starts.indices.lazy.filter { [isReplaced] in !isReplaced[$0] }
    }

    /// Lends a record in the bytes of the index to `body`: its key, and a reader of what follows it.
    func withStored<Value>(
        _ position: Int, _ body: (StoredText, inout IndexReader) throws -> Value
    ) rethrows -> Value {
        try bytes.withUnsafeBytes { all in
            var reader = IndexReader(UnsafeRawBufferPointer(rebasing: all[starts[position]...]))
            do {
                var record = IndexReader(try reader.run())
                let key = try record.rawText()
                return try body(key, &record)
            } catch let damage as IndexReader.Damage {
                preconditionFailure("\(damage) in a record that was walked over.")
            }
        }
    }

    /// Returns the position of the first stored record whose key does not precede `key`; first it looks at
    /// the position at which a walk in order expects it.
    func firstPosition(from key: [UInt8], hint: Int = 0) -> Int {
        if isFirst(hint, from: key) { return hint }
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(middle, key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the position of the stored record with a key, also when it was changed since.
    func position(of key: [UInt8], hint: Int = 0) -> Int? {
        let position = firstPosition(from: key, hint: hint)
        guard position < starts.count, withStored(position, { text, _ in text == key }) else {
            return nil
        }
        return position
    }

    private func isFirst(_ position: Int, from key: [UInt8]) -> Bool {
        guard position < starts.count, !precedes(position, key) else { return false }
        return position == 0 || precedes(position - 1, key)
    }

    private func precedes(_ position: Int, _ key: [UInt8]) -> Bool {
        withStored(position) { text, _ in
            text.bytes.lexicographicallyPrecedes(key)
        }
    }

    // MARK: In order

    /// Calls one of two functions with each record, in the order of the keys.
    func forEachInOrder(
        stored: (Int) throws -> Void, changed: (Record) throws -> Void
    ) rethrows {
        let keys = self.changed.keys.sorted { $0.lexicographicallyPrecedes($1) }
        var next = 0
        for key in keys {
            let end = firstPosition(from: key, hint: next)
            for position in next..<end where !isReplaced[position] {
                try stored(position)
            }
            next = end
            if let record = self.changed[key] { try changed(record) }
        }
        for position in next..<starts.count where !isReplaced[position] {
            try stored(position)
        }
    }

    /// Writes the table; records that did not change are copied as they stand.
    func write(to writer: inout IndexWriter) {
        writer.add(count: count)
        bytes.withUnsafeBytes { all in
            forEachInOrder { position in
                let end = position + 1 < starts.count ? starts[position + 1] : nil
                writer.append(Self.stored(all, starts[position], end))
            } changed: { record in
                writer.addRun { writer in
                    writer.add(record.recordKey)
                    record.write(to: &writer)
                }
            }
        }
    }

    private static func stored(
        _ all: UnsafeRawBufferPointer, _ start: Int, _ end: Int?
    ) -> UnsafeRawBufferPointer {
        if let end { return UnsafeRawBufferPointer(rebasing: all[start..<end]) }
        let length = all.loadUnaligned(fromByteOffset: start, as: UInt32.self)
        return UnsafeRawBufferPointer(
            rebasing: all[start..<start + 4 + Int(UInt32(littleEndian: length))])
    }
}

extension RecordTable: Sequence {
    /// Makes values of all records, in no stated order.
    func makeIterator() -> some IteratorProtocol<Record> {
        var positions = storedPositions.makeIterator()
        var changes = changed.values.makeIterator()
        return AnyIterator { positions.next().map { record(at: $0) } ?? changes.next() }
    }
}

extension RecordTable: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        if left.starts == right.starts, left.bytes == right.bytes {
            return left.isReplaced == right.isReplaced && left.changed == right.changed
        }
        return left.count == right.count && left.allSatisfy { $0 == right[$0.recordKey] }
    }
}
