/// Waits until a question has the answer yes, asking it again and again.
///
/// - Throws: `ProgramFailure` after two minutes: a machine that is busy is no failure.
public func eventually(
    _ what: String, _ isTrue: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while try await !isTrue() {
        guard ContinuousClock.now < end else {
            throw ProgramFailure(description: "Not within 120 seconds: \(what)")
        }
        await Task.yield()
    }
}
