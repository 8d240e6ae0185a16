import Foundation
import ServiceAPI
import Testing
import UserData

@testable import LiveEvents

/// The verdict on a submission, and the order of standings.
@Suite struct EventDecisionTests {
    private static let start = Date(timeIntervalSince1970: 1_793_620_800)

    private func event(
        _ rule: EventRule = EventRule(), frozenAt: Int64? = nil
    ) throws -> StoredEvent {
        let definition = try EventDefinition(
            name: "e", bank: "es", startsAt: Self.start, endsAt: Self.start + 600, rule: rule)
        return StoredEvent(number: 1, id: "x", definition: definition, frozenAt: frozenAt)
    }

    private func decide(
        _ points: Int, at offset: Double, after standing: EventStanding = EventStanding(member: 7),
        isKnown: Bool = false, _ event: StoredEvent
    ) throws -> EventDecision {
        try EventDecision(
            EventSubmission(id: "s", points: points), to: event, after: standing, isKnown: isKnown,
            now: Int64((Self.start.timeIntervalSince1970 + offset) * 1000))
    }

    @Test func timesDecideByTheMillisecond() throws {
        let event = try event()
        for (offset, result) in [
            (-0.001, EventReceipt.Result.early), (0, .counted), (599.999, .counted), (600, .late),
        ] {
            #expect(try decide(10, at: offset, event).result == result, "\(offset)")
        }
        #expect(try decide(10, at: 30, self.event(frozenAt: 1)).result == .late)
    }

    @Test func aRepeatedSubmissionHasItsVerdictAlsoAfterTheEnd() throws {
        let known = EventStanding(member: 7, score: 30, second: 5, submissions: 2)
        for offset in [-10.0, 10, 700] {
            let decision = try decide(10, at: offset, after: known, isKnown: true, event())
            #expect(decision.result == .duplicate && decision.standing == known)
        }
    }

    @Test func pointsAndSubmissionsAreBounded() throws {
        let event = try event(EventRule(pointsMax: 20, submissionsMax: 2))
        #expect(throws: WireError.self) { try decide(21, at: 1, event) }
        let full = EventStanding(member: 7, score: 3, second: 1, submissions: 2)
        let decision = try decide(20, at: 1, after: full, event)
        #expect(decision.result == .tooMany && decision.standing == full)
    }

    @Test func theSecondIsThatOfTheLastPoints() throws {
        let sum = try event()
        var standing = EventStanding(member: 7)
        for (points, offset, score, second) in [
            (0, 3.0, 0, 0), (10, 5.9, 10, 5), (0, 9, 10, 5), (7, 20, 17, 20),
            // A clock that went back.
            (1, 4, 18, 20),
        ] {
            standing = try decide(points, at: offset, after: standing, sum).standing
            #expect(standing.score == score && standing.second == second)
        }
        #expect(standing.submissions == 5)
        let best = try event(EventRule(counts: .best))
        standing = EventStanding(member: 7)
        for (points, offset, score, second) in [(10, 5.0, 10, 5), (10, 9, 10, 5), (12, 30, 12, 30)]
        {
            standing = try decide(points, at: offset, after: standing, best).standing
            #expect(standing.score == score && standing.second == second)
        }
    }

    @Test func anOrderIsExactInADouble() {
        let limits = [0, 1, 2, 77, 1_048_574, 1_048_575]
        for score in [0, 1, 2, 99, 1 << 20, 100_000_000] {
            for second in limits {
                let order = EventStanding(member: 1, score: score, second: second).order
                #expect(Int64(Double(order)) == order)
                #expect(EventStanding.score(of: order) == score)
                #expect(EventStanding.second(of: order) == second)
                let later = EventStanding(member: 1, score: score, second: second + 1).order
                #expect(order < later)
            }
            let next = EventStanding(member: 1, score: score + 1, second: 1_048_575).order
            #expect(next < EventStanding(member: 1, score: score).order)
        }
    }

    @Test func aDefinitionThatCannotWorkIsRefused() throws {
        let start = Self.start
        for (name, end, rule) in [
            ("E", start + 1, EventRule()), ("", start + 1, EventRule()),
            ("e", start, EventRule()), ("e", start - 1, EventRule()),
            ("e", start + 1_048_576, EventRule()),
            ("e", Date(timeIntervalSince1970: 1e12), EventRule()),
            ("e", start + 1, EventRule(pointsMax: 0)),
            ("e", start + 1, EventRule(pointsMax: 10_001)),
            ("e", start + 1, EventRule(submissionsMax: 0)),
        ] {
            #expect(throws: EventDefinition.ValidationError.self) {
                try EventDefinition(
                    name: name, bank: "es", startsAt: start, endsAt: end, rule: rule)
            }
        }
        let whole = try EventDefinition(
            name: "e", title: "Große Runde", bank: "de/driving", startsAt: start,
            endsAt: start + 1_048_575, rule: EventRule(counts: .best))
        #expect(EventDefinition(text: whole.text) == whole)
    }

    @Test func anIdHasALengthAndAnAlphabet() {
        for id in ["", "a b", "ä", "a\u{0}", String(repeating: "x", count: 65), "a:b", "a/b"] {
            #expect(throws: WireError.self) { try EventSubmission(id: id, points: 1) }
        }
        #expect(throws: WireError.self) { try EventSubmission(id: "a", points: -1) }
        #expect(throws: WireError.self) {
            try EventSubmission(Array(#"{"id":"a","points":1,"score":9}"#.utf8))
        }
        #expect(throws: WireError.self) {
            try EventSubmission(Array(#"{"id":"a","points":1e99}"#.utf8))
        }
    }
}
