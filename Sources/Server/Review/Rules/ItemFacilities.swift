import Synchronization

/// The facilities of the served release's questions, as counted by the last reviews.
///
/// They are empty in a process that reviews no keys.
package final class ItemFacilities: Sendable {
    /// The first answers to the served version of a question.
    package struct Share: Sendable, Hashable {
        /// The number of first answers.
        package var answers: Int
        /// The number of right first answers.
        package var right: Int

        package init(answers: Int, right: Int) {
            self.answers = answers
            self.right = right
        }
    }

    private let banks = Mutex<[String: [String: Share]]>([:])

    package init() {}

    /// Returns the shares of a bank by question id; empty before its first review.
    package func shares(of bank: String) -> [String: Share] {
        banks.withLock { $0[bank] ?? [:] }
    }

    /// Stores the counts of a review.
    package func take(_ review: BankReview) {
        let shares = review.items.mapValues { item in
            Share(answers: item.evidence.respondents, right: item.right)
        }
        banks.withLock { $0[review.bank] = shares }
    }

    /// Forgets all, as another release is served.
    func clear() { banks.withLock { $0 = [:] } }
}
