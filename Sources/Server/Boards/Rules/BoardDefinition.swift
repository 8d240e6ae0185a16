import Accounts
package import Foundation
package import Ledger
import ServiceAPI
package import UserData

/// A leaderboard that the operator declared: an exam, a time zone, periods and a scoring rule.
///
/// ```swift
/// let board = try BoardDefinition(
///     name: "driving", bank: "de/driving", timeZone: "Europe/Berlin", rule: BoardRule())
/// print(board.window(.day, at: Date()).firstDay ?? "")
/// ```
package struct BoardDefinition: Sendable, Hashable, Codable {
    /// The reason why a definition is invalid, with the remedy.
    package struct ValidationError: Error, Hashable, CustomStringConvertible {
        /// The reason.
        package let description: String
    }

    /// The name in URLs: 1 to 40 lowercase letters, digits and hyphens.
    package let name: String
    /// The bank of the exam.
    package let bank: String
    /// The identifier of the time zone.
    package let timeZone: String
    /// The periods, without duplicates.
    package let periods: [BoardPeriod]
    /// The scoring rule.
    package let rule: BoardRule
    /// The time after the end of a period for which its late answers are still accepted, in hours.
    package let graceHours: Int

    /// Creates and validates a definition.
    ///
    /// - Throws: `ValidationError`, whose description names the remedy.
    package init(
        name: String, bank: String, timeZone: String = "UTC",
        periods: [BoardPeriod] = BoardPeriod.allCases, rule: BoardRule = BoardRule(),
        graceHours: Int = 24
    ) throws(ValidationError) {
        guard AddressName.isValid(name) else {
            throw ValidationError(
                description: "A board's name is 1 to 40 lowercase letters, digits and hyphens.")
        }
        guard (1...256).contains(bank.utf8.count), !bank.utf8.contains(0) else {
            throw ValidationError(description: "A bank is 1 to 256 bytes, as de/driving.")
        }
        guard TimeZone(identifier: timeZone) != nil else {
            throw ValidationError(
                description: "There is no time zone \(timeZone); name one as Europe/Berlin.")
        }
        guard !periods.isEmpty else {
            throw ValidationError(description: "A board needs a period: day, week, month or all.")
        }
        guard (1...10_000).contains(rule.questionsMin) else {
            throw ValidationError(description: "The minimum of questions is 1 to 10000.")
        }
        guard rule.modes.count <= 20, rule.modes.allSatisfy({ (1...256).contains($0.utf8.count) })
        else { throw ValidationError(description: "A board counts at most 20 modes.") }
        guard (0...168).contains(graceHours) else {
            throw ValidationError(description: "The hours of grace are 0 to 168.")
        }
        self.name = name
        self.bank = bank
        self.timeZone = timeZone
        self.periods = BoardPeriod.allCases.filter(periods.contains)
        self.rule = rule
        self.graceHours = graceHours
    }

    /// The stored form: JSON with sorted keys.
    package var text: String { Self.text(of: self) }

    /// Parses a stored definition; `nil` for one that this version cannot read.
    package init?(text: String) {
        guard
            let value = try? JSONDecoder().decode(BoardDefinition.self, from: Data(text.utf8))
        else { return nil }
        self = value
    }

    /// The parts of the definition that scores depend on; a change of them recomputes the board.
    package var scoring: String { "\(bank) \(timeZone) \(Self.text(of: rule))" }

    private static func text(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A value of texts and numbers always has a JSON form.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The definition for learners.
    package var summary: BoardSummary {
        BoardSummary(id: name, bank: bank, timeZone: timeZone, periods: periods)
    }
}

/// The time window of a board.
package struct BoardWindow: Sendable, Hashable {
    /// The first day in the board's time zone, such as `2026-11-23`; empty for all time.
    package var firstDay: String
    /// The start, in milliseconds since 1970.
    package var start: Int64
    /// The exclusive end, in milliseconds since 1970; `nil` for all time.
    package var end: Int64?

    package init(firstDay: String, start: Int64, end: Int64? = nil) {
        self.firstDay = firstDay
        self.start = start
        self.end = end
    }

    /// Returns true for a session that ended within the window.
    package func contains(_ session: SessionScore) -> Bool {
        session.endedAt >= start && end.map { session.endedAt < $0 } ?? true
    }
}

extension BoardDefinition {
    /// Returns the window of a period that contains a time.
    package func window(_ period: BoardPeriod, at time: Date) -> BoardWindow {
        let component: Calendar.Component =
            switch period {
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            case .all: .era
            }
        guard period != .all, let interval = calendar.dateInterval(of: component, for: time) else {
            return BoardWindow(firstDay: "", start: 0)
        }
        return BoardWindow(
            firstDay: dayText(interval.start), start: interval.start.wholeMilliseconds,
            end: interval.end.wholeMilliseconds)
    }

    /// Returns the text of a day in the zone of the board.
    private func dayText(_ date: Date) -> String {
        let day = calendar.dateComponents([.year, .month, .day], from: date)
        func padded(_ number: Int?, _ count: Int) -> String {
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        return "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
        calendar.firstWeekday = 2
        return calendar
    }
}

extension Date {
    /// The whole milliseconds since 1970.
    fileprivate var wholeMilliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}

extension BoardDefinition.ValidationError {
    /// The error for one board too many.
    package static let tooMany = BoardDefinition.ValidationError(
        description: "A server has at most \(ServiceLimits.boardsMax) boards. Remove one first.")
}
