import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import ServiceAPI
import Testing
import UserData

/// Other devices of a user, whose answers reach a store by the replies of a server.
struct OtherDevices {
    private var held: AnswerVector
    private let names: [String]
    private let start: Date
    private let questions: Int
    private let hasZones: Bool

    /// Describes devices; answers whose zone is known (`hasZones`) correct the times of those before them.
    init(_ names: [String], start: Date, questions: Int, hasZones: Bool = false) {
        self.hasZones = hasZones
        self.names = names
        self.start = start
        self.questions = questions
        held = AnswerVector()
    }

    /// An answer at some time within 40 days, half an hour apart, so that times are often the same.
    func row(using random: inout some RandomNumberGenerator) -> AnswerRow {
        let isCorrect = Int.random(in: 0..<3, using: &random) > 0
        let halfHours = Int64.random(in: -1440...480, using: &random)
        let question = Int.random(in: 0..<questions, using: &random)
        return AnswerRow(
            bank: "int/swift", session: "s\(UInt64.random(in: 0...UInt64.max, using: &random))",
            question: "q\(question)",
            domain: Int.random(in: 0..<8, using: &random) == 0 ? nil : "d\(question % 2)",
            isCorrect: isCorrect,
            rating: Bool.random(using: &random) ? nil : Int.random(in: 1...4, using: &random),
            takenMilliseconds: 1000, exposuresBefore: 0,
            mode: hasZones && Int.random(in: 0..<5, using: &random) == 0 ? "exam" : "study",
            milliseconds: Int64(start.timeIntervalSince1970 * 1000) + halfHours * 1_800_000,
            offsetMinutes: hasZones ? [nil, 60, -300].randomElement(using: &random) ?? nil : nil)
    }

    /// Lets the store pull a few answers of one device, some of which no server took.
    mutating func pull(
        into store: UserStore, now: Date, using random: inout some RandomNumberGenerator
    ) throws {
        let name = try #require(names.randomElement(using: &random))
        let rows = (0..<Int.random(in: 1...40, using: &random)).map { _ in
            Int.random(in: 0..<10, using: &random) == 0 ? nil : row(using: &random)
        }
        let daysAgo = hasZones ? Double.random(in: 0...5, using: &random) : nil
        try pull(
            rows, of: name, into: store, now: now,
            serverTime: daysAgo.map { now.addingTimeInterval(-$0 * 86_400) })
    }

    /// Lets the store pull answers of a device.
    mutating func pull(
        _ rows: [AnswerRow?], of name: String, into store: UserStore, now: Date,
        serverTime: Date? = nil
    ) throws {
        let span = AnswerSpan(
            client: ClientID(name), first: held[ClientID(name)] + 1, count: rows.count)
        held.add(span)
        _ = try store.handle(.stopped, now: now)
        let effects =
            try store.handle(.started, now: now) + store.handle(.syncWanted, now: now)
        let requests = effects.compactMap { effect in
            if case .send(let request) = effect { request } else { nil }
        }
        let request = try #require(requests.last)
        _ = try store.handle(
            .replied(
                ExchangeResponse(
                    number: request.number, epoch: "e", knownAnswers: held, answers: [span])),
            now: now,
            extras: UserStore.Extras(
                received: [AnswerColumns(span: span, rows: rows)], serverTime: serverTime))
    }
}

extension AnswerRow {
    /// The answer as an app gives it to the store.
    var record: AnswerRecord {
        AnswerRecord(
            sessionID: session, questionID: question, domain: domain, contentVersion: version,
            response: QuestionResponse(texts: options), isCorrect: isCorrect, credit: credit,
            rating: rating.flatMap(Rating.init), timeTaken: Double(takenMilliseconds) / 1000,
            exposuresBefore: Int(exposuresBefore),
            mode: AnswerMode(rawValue: mode) ?? .study,
            isRandomlySelected: isRandomlySelected,
            date: Date(timeIntervalSince1970: Double(milliseconds) / 1000),
            offsetMinutes: offsetMinutes)
    }
}
