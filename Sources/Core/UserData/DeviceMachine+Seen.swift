extension DeviceMachine {
    /// Names the version of a record that the user looks at, for an operation on top of it.
    ///
    /// While the log of a server that went back is read anew, the record as it was known before is
    /// shown: its revision belongs to the lost history, so its operation names it.
    func versionShown(_ key: RecordKey) -> (revision: UInt64, operation: OperationID?) {
        let base = state.bases[key]
        guard let former = state.former[key] else { return (base?.revision ?? 0, nil) }
        guard state.recovery == .serverWentBack else {
            return (base?.revision ?? former.revision, nil)
        }
        let shown = base.map { joined($0, former) } ?? former
        return shown.operation == base?.operation
            ? (base?.revision ?? 0, nil) : (0, shown.operation)
    }
}
