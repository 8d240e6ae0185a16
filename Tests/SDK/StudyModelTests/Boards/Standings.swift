import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// A device with an account, and a server whose replies about boards and live events a test sets.
struct Standings {
    static let start = 1_800_000_000

    let study: StudyDevice
    let formats: StudyFormats

    /// Creates a device at 2027-01-15 08:00 UTC, a Friday.
    init(hasAccount: Bool = true) async throws {
        study = try await StudyDevice()
        if hasAccount {
            try await study.device.account.upgrade(
                email: "anne@example.org", password: "correct horse")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        formats = StudyFormats(words: StudyText(language: "en"), calendar: calendar)
        study.network.forgetRequests()
    }

    var services: StudyServices { study.services }
    var sentCount: Int { study.network.requests.count }

    func wait(_ seconds: Int) { study.device.clock.advance(by: .seconds(seconds)) }

    // MARK: Replies

    func hasBoards(_ boards: (name: String, bank: String)..., periods: [String] = ["week", "all"]) {
        let list = boards.map { board in
            """
            {"name": "\(board.name)", "bank": "\(board.bank)", "timeZone": "Europe/Berlin",
             "periods": [\(periods.map { "\"\($0)\"" }.joined(separator: ", "))]}
            """
        }
        study.scripted.reply(
            to: "/api/v1/boards", method: "GET",
            with: .json("{\"boards\": [\(list.joined(separator: ", "))]}"))
    }

    func hasBoard(_ name: String, _ period: String = "week", with reply: TestReply) {
        study.scripted.reply(to: "/api/v1/boards/\(name)/\(period)", with: reply)
    }

    /// A board of this week whose places are named by their ranks, with the own place.
    static func board(
        _ ranks: [Int], own: Int?, around: [Int] = [], of count: Int, period: String = "week"
    ) -> TestReply {
        func place(_ rank: Int) -> String {
            let name = rank % 3 == 0 ? "" : #""name": "Learner \#(rank)", "#
            return """
                {"rank": \(rank), "score": \(1000 - rank), \(name)"isOwn": \(rank == own),
                 "reachedAt": \(start)}
                """
        }
        func list(_ ranks: [Int]) -> String {
            "[\(ranks.map { place($0) }.joined(separator: ", "))]"
        }
        return .json(
            """
            {"board": "harbour", "bank": "int/harbour", "period": "\(period)",
             \(period == "all" ? "" : #""firstDay": "2027-01-11", "#)"places": \(count),
             "refreshedAt": \(start - 120), "isFinal": false, "top": \(list(ranks)),
             \(own.map { "\"own\": \(place($0)), " } ?? "")"neighbours": \(list(around)), "friends": []}
            """)
    }

    func hasProfile(isListed: Bool) {
        study.scripted.reply(
            to: "/api/v1/profile", with: Self.profile(name: nil, isListed: isListed))
    }

    static func profile(name: String?, isListed: Bool) -> TestReply {
        let name = name.map { #""name": "\#($0)", "# } ?? ""
        return .json("{\(name)\"isListed\": \(isListed), \"friendCode\": \"7Q2M4K9XWD\"}")
    }

    /// Declares an event from some seconds after the start of the clock.
    func hasEvents(_ events: (name: String, from: Int, to: Int)...) {
        let list = events.map { event in
            """
            {"name": "\(event.name)", "title": "The \(event.name)", "bank": "int/harbour",
             "startsAt": \(Self.start + event.from), "endsAt": \(Self.start + event.to),
             "pointsMax": 90, "submissionsMax": 10}
            """
        }
        study.scripted.reply(
            to: "/api/v1/events", method: "GET",
            with: .json("{\"events\": [\(list.joined(separator: ", "))]}"))
    }

    func hasPlaces(
        of event: String, _ state: String, scores: [Int] = [], own: Int? = nil,
        isFinal: Bool = false, isStale: Bool = false
    ) {
        func place(_ rank: Int) -> String {
            """
            {"rank": \(rank), "score": \(scores[rank - 1]), "reachedAt": \(Self.start),
             "isOwn": \(rank == own)}
            """
        }
        let top = scores.indices.map { place($0 + 1) }.joined(separator: ", ")
        study.scripted.reply(
            to: "/api/v1/events/\(event)", method: "GET",
            with: .json(
                """
                {"event": "\(event)", "state": "\(state)", "isFinal": \(isFinal),
                 "places": \(scores.count), "asOf": \(Self.start), "isStale": \(isStale),
                 "top": [\(top)]\(own.map { ", \"own\": \(place($0))" } ?? "")}
                """))
    }

    func hasReceipt(_ result: String, score: Int = 72, rank: Int? = 2) {
        let place = rank.map { ", \"rank\": \($0), \"places\": 3" } ?? ""
        study.scripted.reply(
            to: "/submissions", method: "POST",
            with: .json("{\"result\": \"\(result)\", \"score\": \(score)\(place)}"))
    }

    // MARK: Rounds

    /// Begins an exam; the returned id is the session's.
    func begin() async throws -> String {
        try await SessionStart(services).begin(StudyDevice.exam, .exam)
    }

    /// Answers an exam's first question right, and hands it in.
    func handIn(_ id: String) async throws {
        let model = await SessionModel(services, id: id)
        await model.load(at: 0)
        let screen = try #require(await model.screen)
        let right = screen.question.correctResponse
        await model.answer(right, at: 0)
        await model.finish()
        #expect(await model.isOver)
    }
}
