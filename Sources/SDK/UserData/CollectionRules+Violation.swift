extension CollectionRules {
    /// Describes the first violation for which `accepts` returns false, in words for a person.
    ///
    /// - Parameters:
    ///   - values: The record after the change.
    ///   - known: The record before it; `nil` for a new or deleted one.
    /// - Returns: `nil` for an accepted record.
    public func violation(
        of values: [String: FieldValue], over known: [String: FieldValue]? = nil
    ) -> String? {
        if accepts(values, over: known) { return nil }
        if let name = required.sorted().first(where: { values[$0] == nil && known?[$0] == nil }) {
            return "\"\(name)\" is missing"
        }
        for name in values.keys.sorted() where known?[name] != values[name] {
            guard let value = values[name] else { continue }
            if let rule = fields[name] {
                if !rule.accepts(value) { return "\"\(name)\" has a value that it may not have" }
            } else if !allowsOtherFields {
                return "\"\(name)\" is not one of its fields"
            }
        }
        return "a name or value is out of range"
    }
}
