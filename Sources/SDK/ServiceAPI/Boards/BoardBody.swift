package import ContentModel
import Foundation
package import UserData

extension BoardEntry {
    var json: JSONValue {
        .compact([
            "rank": .integer(rank), "score": .integer(score),
            "reachedAt": .integer(Int(reachedAt.timeIntervalSince1970)),
            "name": name.map { .string($0) }, "friendCode": friendCode.map { .string($0) },
            "isOwn": isOwn ? .bool(true) : nil,
        ])
    }

    init(_ object: WireObject) throws(WireError) {
        self.init(
            rank: Int(try object.requiredNumber("rank")),
            score: Int(try object.requiredNumber("score")),
            reachedAt: Date(
                timeIntervalSince1970: Double(try object.requiredNumber("reachedAt"))),
            name: try object.text("name"), friendCode: try object.text("friendCode"),
            isOwn: try object.flag("isOwn"))
    }

    static func list(_ object: WireObject, _ key: String) throws(WireError) -> [BoardEntry] {
        var entries: [BoardEntry] = []
        for (index, node) in (try object.array(key) ?? []).enumerated() {
            entries.append(
                try BoardEntry(WireObject(node, object.place("\(key)[\(index)]"))))
        }
        return entries
    }
}

extension BoardPage {
    /// The page as JSON, of the wire and of a device's cache; times in seconds since 1970.
    package var json: JSONValue {
        .compact([
            "board": .string(board), "bank": .string(bank), "period": .string(period.rawValue),
            "firstDay": firstDay.map { .string($0) }, "places": .integer(placeCount),
            "refreshedAt": .integer(Int(refreshedAt.timeIntervalSince1970)),
            "isFinal": .bool(isFinal), "top": .array(top.map(\.json)), "own": own?.json,
            "neighbours": .array(neighbours.map(\.json)), "friends": .array(friends.map(\.json)),
        ])
    }

    /// Parses a page.
    ///
    /// - Parameter bytes: The body.
    /// - Throws: `WireError` when it is malformed.
    package init(_ bytes: [UInt8]) throws(WireError) {
        let object = try WireObject.parse(bytes, nodesMax: ServiceLimits.boardNodesMax)
        guard let period = BoardPeriod(rawValue: try object.requiredText("period")) else {
            throw WireError("period", "must be day, week, month or all")
        }
        let own: BoardEntry? =
            if let node = try object.object("own") { try BoardEntry(node) } else { nil }
        self.init(
            board: try object.requiredText("board"), bank: try object.requiredText("bank"),
            period: period, firstDay: try object.text("firstDay"),
            placeCount: Int(try object.requiredNumber("places")),
            refreshedAt: Date(
                timeIntervalSince1970: Double(try object.requiredNumber("refreshedAt"))),
            isFinal: try object.flag("isFinal"), top: try BoardEntry.list(object, "top"),
            own: own, neighbours: try BoardEntry.list(object, "neighbours"),
            friends: try BoardEntry.list(object, "friends"))
    }
}

extension BoardSummary {
    /// The board as JSON.
    package var json: JSONValue {
        [
            "name": .string(id), "bank": .string(bank), "timeZone": .string(timeZone),
            "periods": .array(periods.map { .string($0.rawValue) }),
        ]
    }

    /// Parses `{"boards": […]}`, without periods of a later version.
    ///
    /// - Parameter bytes: The body.
    /// - Returns: The boards in the server's order.
    /// - Throws: `WireError` when the list is malformed.
    package static func list(_ bytes: [UInt8]) throws(WireError) -> [BoardSummary] {
        let nodes = try WireObject.parse(bytes, nodesMax: ServiceLimits.boardNodesMax)
            .array("boards")
        var boards: [BoardSummary] = []
        for (index, node) in (nodes ?? []).enumerated() {
            let object = try WireObject(node, "boards[\(index)]")
            var periods: [BoardPeriod] = []
            for node in try object.array("periods") ?? [] {
                if case .string(let text) = node.content, let period = BoardPeriod(rawValue: text) {
                    periods.append(period)
                }
            }
            boards.append(
                BoardSummary(
                    id: try object.requiredText("name"), bank: try object.requiredText("bank"),
                    timeZone: try object.requiredText("timeZone"), periods: periods))
        }
        return boards
    }
}

extension BoardProfile {
    /// The profile as JSON.
    package var json: JSONValue {
        .compact([
            "name": name.map { .string($0) }, "isListed": .bool(isListed),
            "friendCode": .string(friendCode),
        ])
    }

    /// Parses a profile.
    ///
    /// - Parameter bytes: The body.
    /// - Throws: `WireError` when it is malformed.
    package init(_ bytes: [UInt8]) throws(WireError) {
        let object = try WireObject.parse(bytes, nodesMax: 100)
        self.init(
            name: try object.text("name"), isListed: try object.flag("isListed"),
            friendCode: try object.requiredText("friendCode"))
    }
}

/// A learner's change of the profile: the body of `PUT`.
package struct BoardProfileChange: Sendable, Hashable {
    /// The display name, not yet checked; `nil` for none.
    package var name: String?
    /// False to appear on no board.
    package var isListed: Bool

    package init(name: String?, isListed: Bool) {
        self.name = name
        self.isListed = isListed
    }

    /// The change as JSON.
    package var json: JSONValue {
        .compact(["name": name.map { .string($0) }, "isListed": .bool(isListed)])
    }

    /// Parses a change; both members are optional, and the default lists the learner.
    ///
    /// - Parameter bytes: The body.
    /// - Throws: `WireError` when it is malformed.
    package init(_ bytes: [UInt8]) throws(WireError) {
        let object = try WireObject.parse(bytes, nodesMax: 100)
        for key in object.keys where !["name", "isListed"].contains(key) {
            throw WireError(key, "is unknown; a profile has name and isListed")
        }
        name = try object.text("name")
        guard object.keys.contains("isListed") else {
            isListed = true
            return
        }
        guard object.node("isListed") != nil else {
            throw WireError("isListed", "must be true or false")
        }
        isListed = try object.flag("isListed")
    }
}
