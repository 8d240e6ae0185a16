import ContentServer
import ServiceAPI
import Synchronization

/// The bounds on exports that are sent at once: of a process, and of one address.
final class ExportPlaces: Sendable {
    /// A place, which becomes free when nothing refers to it any more.
    final class Place: Sendable {
        private let places: ExportPlaces
        private let address: String

        fileprivate init(_ places: ExportPlaces, _ address: String) {
            self.places = places
            self.address = address
        }

        deinit { places.leave(address) }
    }

    private let addresses = Mutex<[String: Int]>([:])

    /// The number of exports that are being sent.
    var count: Int { addresses.withLock { $0.values.reduce(0, +) } }

    /// Takes a place.
    ///
    /// - Throws: `RequestError` `busy` when a bound is reached.
    func enter(_ address: String) throws -> Place {
        let isAdmitted = addresses.withLock { addresses in
            let own = addresses[address, default: 0]
            guard own < ServiceLimits.openExportsPerAddressMax,
                addresses.values.reduce(0, +) < ServiceLimits.openExportsMax
            else { return false }
            addresses[address] = own + 1
            return true
        }
        guard isAdmitted else { throw RequestError.overloaded }
        return Place(self, address)
    }

    private func leave(_ address: String) {
        addresses.withLock { addresses in
            let left = addresses[address, default: 1] - 1
            addresses[address] = left > 0 ? left : nil
        }
    }
}
