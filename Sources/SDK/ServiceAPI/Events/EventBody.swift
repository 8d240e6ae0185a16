package import ContentModel
import Foundation
package import UserData

extension LiveEvent {
    /// The event as JSON; times in seconds since 1970.
    package var json: JSONValue {
        [
            "name": .string(id), "title": .string(title), "bank": .string(bank),
            "startsAt": .integer(Int(startsAt.timeIntervalSince1970)),
            "endsAt": .integer(Int(endsAt.timeIntervalSince1970)),
            "pointsMax": .integer(pointsMax), "submissionsMax": .integer(submissionsMax),
        ]
    }

    /// Parses `{"events": […]}`.
    ///
    /// - Parameter bytes: The body.
    /// - Returns: The events in the server's order.
    /// - Throws: `WireError` when the list is malformed.
    package static func list(_ bytes: [UInt8]) throws(WireError) -> [LiveEvent] {
        let nodes = try WireObject.parse(bytes, nodesMax: ServiceLimits.boardNodesMax)
            .array("events")
        var events: [LiveEvent] = []
        for (index, node) in (nodes ?? []).enumerated() {
            let object = try WireObject(node, "events[\(index)]")
            events.append(
                LiveEvent(
                    id: try object.requiredText("name"), title: try object.requiredText("title"),
                    bank: try object.requiredText("bank"),
                    startsAt: try object.time("startsAt"), endsAt: try object.time("endsAt"),
                    pointsMax: Int(try object.requiredNumber("pointsMax")),
                    submissionsMax: Int(try object.requiredNumber("submissionsMax"))))
        }
        return events
    }
}

extension LiveEventPage {
    /// The page as JSON; times in seconds since 1970.
    package var json: JSONValue {
        .compact([
            "event": .string(event), "state": .string(state.rawValue), "isFinal": .bool(isFinal),
            "places": .integer(placeCount), "asOf": .integer(Int(asOf.timeIntervalSince1970)),
            "isStale": .bool(isStale), "top": .array(top.map(\.json)), "own": own?.json,
        ])
    }

    /// Parses a page.
    ///
    /// - Parameter bytes: The body, or the data of a message.
    /// - Throws: `WireError` when it is malformed.
    package init(_ bytes: [UInt8]) throws(WireError) {
        let object = try WireObject.parse(bytes, nodesMax: ServiceLimits.boardNodesMax)
        guard let state = LiveEvent.State(rawValue: try object.requiredText("state")) else {
            throw WireError("state", "must be upcoming, running or ended")
        }
        let own: BoardEntry? =
            if let node = try object.object("own") { try BoardEntry(node) } else { nil }
        self.init(
            event: try object.requiredText("event"), state: state,
            isFinal: try object.flag("isFinal"),
            placeCount: Int(try object.requiredNumber("places")), asOf: try object.time("asOf"),
            isStale: try object.flag("isStale"), top: try BoardEntry.list(object, "top"), own: own)
    }
}

extension EventReceipt {
    /// The verdict as JSON.
    package var json: JSONValue {
        .compact([
            "result": .string(result.rawValue), "score": .integer(score),
            "rank": rank.map { .integer($0) }, "places": placeCount.map { .integer($0) },
        ])
    }

    /// Parses a verdict.
    ///
    /// - Parameter bytes: The body.
    /// - Throws: `WireError` when it is malformed.
    package init(_ bytes: [UInt8]) throws(WireError) {
        let object = try WireObject.parse(bytes, nodesMax: 100)
        guard let result = Result(rawValue: try object.requiredText("result")) else {
            throw WireError("result", "is unknown to this version")
        }
        self.init(
            result: result, score: Int(try object.requiredNumber("score")),
            rank: try object.number("rank").map { Int($0) },
            placeCount: try object.number("places").map { Int($0) })
    }
}

/// A submission to a live event: the body of `POST`.
package struct EventSubmission: Sendable, Hashable {
    /// The id, unique among the learner's submissions to the event.
    package let id: String
    /// The points, from 0.
    package let points: Int

    /// Creates a submission after a check of its bounds.
    ///
    /// - Throws: `WireError` for an id or points out of bounds.
    package init(id: String, points: Int) throws(WireError) {
        guard (1...ServiceLimits.submissionIDBytesMax).contains(id.utf8.count),
            id.utf8.allSatisfy(Self.isOfID)
        else {
            throw WireError(
                "id",
                "must be 1 to \(ServiceLimits.submissionIDBytesMax) letters, digits, hyphens or underscores"
            )
        }
        guard (0...ServiceLimits.eventPointsMax).contains(points) else {
            throw WireError("points", "must be from 0 to \(ServiceLimits.eventPointsMax)")
        }
        self.id = id
        self.points = points
    }

    /// Parses a submission.
    ///
    /// - Parameter bytes: The body.
    /// - Throws: `WireError` when it is malformed.
    package init(_ bytes: [UInt8]) throws(WireError) {
        let object = try WireObject.parse(bytes, nodesMax: 100)
        for key in object.keys where !["id", "points"].contains(key) {
            throw WireError(key, "is unknown; a submission has id and points")
        }
        let points = try object.requiredNumber("points")
        try self.init(id: try object.requiredText("id"), points: Int(clamping: points))
    }

    /// The submission as JSON.
    package var json: JSONValue { ["id": .string(id), "points": .integer(points)] }

    private static func isOfID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension WireObject {
    /// Returns a time in whole seconds since 1970.
    fileprivate func time(_ key: String) throws(WireError) -> Date {
        Date(timeIntervalSince1970: Double(try requiredNumber(key)))
    }
}
