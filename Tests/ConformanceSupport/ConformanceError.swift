/// What went wrong outside of trust itself.
struct ConformanceError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
