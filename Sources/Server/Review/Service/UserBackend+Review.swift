package import Ledger

extension UserBackend {
    /// The storage of the review of keys; `nil` for a storage without any.
    package var review: ReviewStorage? { rooms[ReviewStorage.self] }
    /// What grades stored answers again; `nil` for a storage without any.
    package var regrader: Regrader? { rooms[Regrader.self] }

    /// Adds the review of keys, and what grades stored answers again.
    package mutating func add(review: ReviewStorage, regrading: RegradeStorage) {
        rooms[ReviewStorage.self] = review
        rooms[Regrader.self] = Regrader(regrading)
    }
}
