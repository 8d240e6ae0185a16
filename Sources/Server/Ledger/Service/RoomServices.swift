/// The services of the rooms above the users, on the same database, each by its type.
///
/// A room names its own: `extension UserBackend { var boards: BoardService? { rooms[BoardService.self] } }`.
package struct RoomServices: Sendable {
    private var services: [ObjectIdentifier: any Sendable] = [:]

    /// The service of a type; `nil` for a storage without any.
    package subscript<Service: Sendable>(_ type: Service.Type) -> Service? {
        get { services[ObjectIdentifier(type)] as? Service }
        set { services[ObjectIdentifier(type)] = newValue }
    }
}
