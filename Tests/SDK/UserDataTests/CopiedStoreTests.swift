import Testing
import UserData

/// Two copies of one store, both in use.
@Suite struct CopiedStoreTests {
    private let key = RecordKey("points", "all")

    /// A pending step is in both copies; the server recognises it by its number and its content.
    @Test func aStepThatBothCopiesHaveStaysAnOperationOfItsOwn() throws {
        var original = DeviceMachine(
            DeviceState(
                user: "u", client: ClientID("phone"),
                declarations: [CollectionDeclaration("points", .counter)]))
        _ = original.handle(.wrote(key, .count(field: "n", by: 1)), now: 1)
        let copy = original
        _ = original.handle(.wrote(key, .count(field: "n", by: 64)), now: 2)
        let operations = original.state.outbox.map(\.operation)
        #expect(operations.count == 2)
        #expect(operations.first == copy.state.outbox.first?.operation)
        #expect(original.state.current(key)?.values == ["n": 65])
    }
}
