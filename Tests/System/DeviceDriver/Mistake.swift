/// A mistake that the driver makes on purpose, so that the checker can show that it finds it.
enum Mistake: String, Sendable, CaseIterable {
    /// Acknowledges a write that was not made.
    case dropWrite
    /// Adds an answer twice.
    case doubleAnswer
    /// Counts a step twice.
    case doubleCount
    /// Writes the old value again after a new one.
    case oldValueBack
    /// Gives up the user's side of a conflict without asking.
    case silentSettle
    /// Reports that everything is on the server.
    case alwaysSynced
    /// Leaves a record out of what is shown.
    case hideRecord
    /// Reports an older cursor.
    case cursorBack
    /// Parts what belongs together.
    case partGroup
}
