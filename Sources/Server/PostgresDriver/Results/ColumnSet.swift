import CLibpq

/// The columns of a result, which its rows share.
final class ColumnSet: Sendable {
    let types: [PostgresType]
    let names: [String]
    /// The positions by name; -1 for a name that several columns have.
    private let positions: [String: Int32]

    init(of result: OpaquePointer) {
        let count = unsafe PQnfields(result)
        types = (0..<count).map { PostgresType(rawValue: unsafe PQftype(result, $0)) }
        names = (0..<count).map { column in
            unsafe PQfname(result, column).map { unsafe String(cString: $0) } ?? ""
        }
        positions = Dictionary(
            names.enumerated().map { ($1, Int32($0)) }, uniquingKeysWith: { _, _ in -1 })
    }

    /// Returns the position of a column.
    func position(_ name: String) throws(PostgresDecodingError) -> Int32 {
        guard let position = positions[name] else {
            throw PostgresDecodingError(column: name, reason: .missingColumn)
        }
        guard position >= 0 else {
            throw PostgresDecodingError(column: name, reason: .ambiguousColumn)
        }
        return position
    }
}
