/// The statements that a session has prepared, by their text and the types of their parameters.
struct StatementNames {
    struct Key: Hashable {
        var sql: String
        var types: [UInt32]
    }

    /// The most names in a session; further statements go without.
    let max: Int
    private var names: [Key: String] = [:]
    private var last = 0

    init(max: Int) { self.max = max }

    func name(_ key: Key) -> String? { names[key] }

    /// Returns a name for a statement that is going to be prepared; `nil` when there are enough.
    mutating func newName() -> String? {
        guard names.count < max else { return nil }
        last += 1
        return "underway_\(last)"
    }

    mutating func prepared(_ key: Key, _ name: String) { names[key] = name }

    /// Forgets all names: the session does not have them, or their plans are outdated.
    mutating func forget() { names = [:] }
}
