/// The services of features above the ledger, on the same database, each identified by its type.
///
/// A feature names its own: `extension UserBackend { var boards: BoardService? { rooms[BoardService.self] } }`.
package struct RoomServices: Sendable {
    private var services: [ObjectIdentifier: any Sendable] = [:]

    /// The service of a type; `nil` if the storage has none.
    package subscript<Service: Sendable>(_ type: Service.Type) -> Service? {
        get { services[ObjectIdentifier(type)] as? Service }
        set { services[ObjectIdentifier(type)] = newValue }
    }
}
