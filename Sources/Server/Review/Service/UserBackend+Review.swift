package import Ledger

extension UserBackend {
    /// The storage of the review of keys; `nil` for a storage without any.
    package var review: (any ReviewStorage)? { rooms[(any ReviewStorage).self] }
    /// What grades stored answers again; `nil` for a storage without any.
    package var regrader: Regrader? { rooms[Regrader.self] }

    /// Adds the review of keys, and what grades stored answers again.
    package mutating func add(review: any ReviewStorage, regrading: any RegradeStorage) {
        rooms[(any ReviewStorage).self] = review
        rooms[Regrader.self] = Regrader(regrading)
    }
}
