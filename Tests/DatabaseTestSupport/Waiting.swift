/// Waits until a question has the answer yes, asking it again and again.
///
/// - Throws: `ProgramFailure` after 20 seconds.
public func eventually(
    _ what: String, _ isTrue: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while try await !isTrue() {
        guard ContinuousClock.now < end else {
            throw ProgramFailure(description: "Not within 20 seconds: \(what)")
        }
        await Task.yield()
    }
}
