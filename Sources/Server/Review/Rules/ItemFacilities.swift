import Synchronization

/// How often the questions of the served release were answered right at first sight, as the last reviews counted it.
///
/// A process that reviews no keys has none.
package final class ItemFacilities: Sendable {
    /// The first answers to the served version of a question.
    package struct Share: Sendable, Hashable {
        /// Their number.
        package var answers: Int
        /// The number of right ones.
        package var right: Int

        package init(answers: Int, right: Int) {
            self.answers = answers
            self.right = right
        }
    }

    private let banks = Mutex<[String: [String: Share]]>([:])

    package init() {}

    /// Returns the shares of a bank by its questions' ids; empty before its first review.
    package func shares(of bank: String) -> [String: Share] {
        banks.withLock { $0[bank] ?? [:] }
    }

    /// Takes the counts of a review.
    package func take(_ review: BankReview) {
        let shares = review.items.mapValues { item in
            Share(answers: item.evidence.respondents, right: item.right)
        }
        banks.withLock { $0[review.bank] = shares }
    }

    /// Forgets all, as another release is served.
    func clear() { banks.withLock { $0 = [:] } }
}
