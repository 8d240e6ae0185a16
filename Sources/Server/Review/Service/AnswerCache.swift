package import Ledger
package import QuestionEngine
import ServiceAPI

/// The first answers to the questions of one release, in memory and grouped, so that a new answer costs its own row and
/// no scan of the others.
///
/// It drops answers to versions with another question or key. A release with other questions needs another cache, which
/// is filled from the storage once. Memory: 8 bytes for each answer.
package struct AnswerCache: Sendable {
    private struct Place {
        var bank: Int
        var question: Int
    }

    private var places: [Int64: Place] = [:]
    private var banks: [BankAnswers]
    private var persons: [Int64: Int32] = [:]
    /// The number that the next person gets; that of somebody who left is not given again.
    private var nextPerson: Int32 = 0
    /// The highest number of a contributor with cached answers.
    package private(set) var highestContributor: Int64 = 0
    /// The number of the last answer that was read, including dropped ones.
    package private(set) var lastNumber: Int64 = 0
    /// The number of answers.
    package private(set) var count = 0

    /// Creates an empty cache.
    ///
    /// - Parameter release: The release; retired questions and questions without a usable key are not reviewed.
    package init(_ release: ReviewedRelease) {
        banks = release.banks.map(BankAnswers.init)
        for (index, bank) in banks.enumerated() {
            for (question, versions) in bank.versions.enumerated() {
                for version in versions {
                    let number = FirstAnswer.number(
                        bank: bank.name, question: bank.ids[question], version: version)
                    places[number] = Place(bank: index, question: question)
                }
            }
        }
    }

    /// Adds answers in the order of their numbers.
    package mutating func add(_ answers: [StoredFirstAnswer]) {
        for one in answers {
            lastNumber = max(lastNumber, one.number)
            guard let place = places[one.answer.item] else { continue }
            if one.answer.response.isEmpty {
                remove(one.contributor, from: place)
                continue
            }
            guard count < ServiceLimits.firstAnswersMax else { continue }
            if banks[place.bank].add(
                one.answer.response, of: person(one.contributor), to: place.question)
            {
                count += 1
            }
        }
    }

    /// Removes an answer that was taken back.
    private mutating func remove(_ contributor: Int64, from place: Place) {
        guard let person = persons[contributor] else { return }
        count -= banks[place.bank].remove([person], from: place.question)
    }

    private mutating func person(_ contributor: Int64) -> Int32 {
        if let known = persons[contributor] { return known }
        let new = nextPerson
        persons[contributor] = new
        nextPerson += 1
        highestContributor = max(highestContributor, contributor)
        return new
    }

    /// Removes the answers of all learners who are no longer contributors.
    package mutating func retain(_ contributors: Set<Int64>) {
        let gone = persons.filter { !contributors.contains($0.key) }
        guard !gone.isEmpty else { return }
        let numbers = Set(gone.values)
        for index in banks.indices { count -= banks[index].remove(numbers) }
        for contributor in gone.keys { persons[contributor] = nil }
    }

    /// The number of added or removed answers of each bank since its last review.
    package var changeCounts: [String: Int] {
        Dictionary(banks.map { ($0.name, $0.changeCount) }, uniquingKeysWith: { $1 })
    }

    /// Returns the table of a bank.
    package func table(of bank: String) -> ResponseMatrix? {
        banks.first { $0.name == bank }?.table
    }

    /// Resets the change count of a bank.
    package mutating func noteReview(of bank: String) {
        guard let index = banks.firstIndex(where: { $0.name == bank }) else { return }
        banks[index].noteReview()
    }
}
