package import Ledger

extension UserBackend {
    /// The content versions in the field; `nil` for a storage that does not count them.
    package var uptake: UptakeService? { rooms[UptakeService.self] }

    /// Adds the count of content versions.
    package mutating func add(_ uptake: UptakeService) { rooms[UptakeService.self] = uptake }
}
