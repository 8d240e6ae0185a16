import GRDB
import Synchronization

/// A list that closures append to.
final class Recorded<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])

    var values: [Value] { list.withLock { $0 } }

    func append(_ value: Value) { list.withLock { $0.append(value) } }
}

extension Database {
    func hasRows(_ table: String) throws -> Bool {
        try Bool.fetchOne(self, sql: "SELECT EXISTS (SELECT 1 FROM \(table))") ?? false
    }
}
