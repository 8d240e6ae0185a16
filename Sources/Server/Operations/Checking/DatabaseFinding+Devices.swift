extension DatabaseFinding {
    /// Returns the finding that two existing accounts share a device's name, which belongs to one account.
    ///
    /// Several accounts may share names of processes (`w…`) and of branches (`b…`): copies of a store have them in
    /// common.
    package static func sharedDevice(_ one: Int64, _ other: Int64) -> DatabaseFinding {
        DatabaseFinding(
            .device, "accounts \(one) and \(other)",
            "Both have answers or changes of one device, as when a backup brought an account back"
                + " that had moved.",
            remedy: "Put the file `revocations` of that time beside the server's key, and start"
                + " the server: it moves the account again. Without that file, ask the learner to"
                + " join the accounts again.")
    }
}
