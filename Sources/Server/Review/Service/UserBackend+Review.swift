package import Ledger

extension UserBackend {
    /// The storage of the review of keys; `nil` if the storage has none.
    package var review: ReviewStorage? { rooms[ReviewStorage.self] }
    /// The regrading of stored answers; `nil` if the storage has none.
    package var regrader: Regrader? { rooms[Regrader.self] }

    /// Adds the review of keys and the regrading of stored answers.
    package mutating func add(review: ReviewStorage, regrading: RegradeStorage) {
        rooms[ReviewStorage.self] = review
        rooms[Regrader.self] = Regrader(regrading)
    }
}
