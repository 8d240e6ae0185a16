extension Table {
    /// The tables of the server's database, each after those that it refers to.
    package static let all = ledger + answers + accounts + boards + liveEvents + uptake + review
}
