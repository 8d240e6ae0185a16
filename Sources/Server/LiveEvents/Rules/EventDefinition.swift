import Accounts
package import Foundation
import ServiceAPI
package import UserData

/// The rule that computes a score from the submissions of a learner.
package struct EventRule: Sendable, Hashable, Codable {
    /// The counted part of the submissions.
    package enum Counting: String, Sendable, Hashable, Codable, CaseIterable {
        /// The sum of points of all submissions.
        case sum
        /// The points of the best submission.
        case best
    }

    /// The counted part of the submissions.
    package var counts: Counting
    /// The maximum number of points of a submission.
    package var pointsMax: Int
    /// The maximum number of submissions of a learner.
    package var submissionsMax: Int

    package init(counts: Counting = .sum, pointsMax: Int = 100, submissionsMax: Int = 1_000) {
        self.counts = counts
        self.pointsMax = pointsMax
        self.submissionsMax = submissionsMax
    }
}

/// A live event that the operator declared: an exam, a start, an end and a scoring rule.
///
/// ```swift
/// let event = try EventDefinition(
///     name: "finals", title: "Finals", bank: "de/driving", startsAt: start, endsAt: start + 3600)
/// print(event.summary.state(at: Date()))
/// ```
package struct EventDefinition: Sendable, Hashable, Codable {
    /// The reason why a definition is invalid, with the remedy.
    package struct ValidationError: Error, Hashable, CustomStringConvertible {
        /// The reason.
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// The name in URLs: 1 to 40 lowercase letters, digits and hyphens.
    package let name: String
    /// The title for learners.
    package let title: String
    /// The bank of the exam.
    package let bank: String
    /// The start, in seconds since 1970.
    package let startsAt: Int64
    /// The exclusive end, in seconds since 1970.
    package let endsAt: Int64
    /// The scoring rule.
    package let rule: EventRule

    /// Creates and validates a definition.
    ///
    /// - Throws: `ValidationError`, whose description names the remedy.
    package init(
        name: String, title: String? = nil, bank: String, startsAt: Date, endsAt: Date,
        rule: EventRule = EventRule()
    ) throws(ValidationError) {
        guard AddressName.isValid(name) else {
            throw ValidationError(
                "An event's name is 1 to 40 lowercase letters, digits and hyphens.")
        }
        guard let title = DisplayName(title ?? name) else {
            throw ValidationError(
                "A title is 1 to \(ServiceLimits.displayNameCharactersMax) visible characters.")
        }
        guard (1...256).contains(bank.utf8.count), !bank.utf8.contains(0) else {
            throw ValidationError("A bank is 1 to 256 bytes, as de/driving.")
        }
        let start = startsAt.timeIntervalSince1970.rounded(.down)
        let end = endsAt.timeIntervalSince1970.rounded(.down)
        // The last second is in the year 2106.
        guard start >= 0, end <= Double(UInt32.max) else {
            throw ValidationError("An event is between the years 1970 and 2106.")
        }
        guard end > start else { throw ValidationError("An event ends after its start.") }
        guard end - start <= Double(ServiceLimits.eventSecondsMax) else {
            throw ValidationError("An event lasts at most 12 days.")
        }
        guard (1...ServiceLimits.eventPointsMax).contains(rule.pointsMax) else {
            throw ValidationError(
                "The most points of a submission are 1 to \(ServiceLimits.eventPointsMax).")
        }
        guard (1...ServiceLimits.eventSubmissionsMax).contains(rule.submissionsMax) else {
            throw ValidationError(
                "The most submissions of a learner are 1 to \(ServiceLimits.eventSubmissionsMax).")
        }
        self.name = name
        self.title = title.text
        self.bank = bank
        self.startsAt = Int64(start)
        self.endsAt = Int64(end)
        self.rule = rule
    }

    /// The stored form: JSON with sorted keys.
    package var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A value of texts and numbers always has a JSON form.
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Parses a stored definition; `nil` for one that this version cannot read.
    package init?(text: String) {
        guard
            let value = try? JSONDecoder().decode(EventDefinition.self, from: Data(text.utf8))
        else { return nil }
        self = value
    }

    /// The event for learners.
    package var summary: LiveEvent {
        LiveEvent(
            id: name, title: title, bank: bank,
            startsAt: Date(timeIntervalSince1970: Double(startsAt)),
            endsAt: Date(timeIntervalSince1970: Double(endsAt)), pointsMax: rule.pointsMax,
            submissionsMax: rule.submissionsMax)
    }
}

extension EventDefinition.ValidationError {
    /// The error for one event too many.
    package static let tooMany = EventDefinition.ValidationError(
        "A server has at most \(ServiceLimits.eventsMax) events. Remove one first.")
    /// The error for a change of an event that already has submissions.
    package static let hasBegun = EventDefinition.ValidationError(
        "The event has submissions: it cannot be changed any more. Declare another one, or remove it with"
            + " all its submissions.")
}
