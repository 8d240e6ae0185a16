package import Ledger

extension UserBackend {
    /// The service for content versions; `nil` if the storage does not count them.
    package var uptake: UptakeService? { rooms[UptakeService.self] }

    /// Adds the service for content versions.
    package mutating func add(_ uptake: UptakeService) { rooms[UptakeService.self] = uptake }
}
