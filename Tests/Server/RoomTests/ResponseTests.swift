import ContentModel
import Foundation
import GRDB
import Ledger
import ServiceAPI
import Testing
import UserData

/// Responses of every kind pass through the server as they are.
@Suite struct ResponseTests {
    private static let responses = [
        ["a"], ["c", "a"], [], ["#number", "6.62607015e-34"], ["#drawing", "", "M \"0\" é\u{1}"],
    ]

    /// What another device gets of a user's answers.
    private func received(_ service: ServiceFixture, _ user: String) async throws -> [AnswerRow?] {
        let request = ExchangeRequest(
            number: 1, user: user, client: ClientID("other"), epoch: nil, cursor: 0,
            operations: [], knownAnswers: AnswerVector())
        let call = ExchangeCall(request: request, answers: [])
        let reply = try await service.users.exchange(call, of: user)
        // Through the wire, as a device reads it.
        return try ExchangeReply(reply.json.canonicalBytes, client: ClientID("other"))
            .answers.flatMap(\.rows)
    }

    private func exported(_ service: ServiceFixture, _ user: String) async throws -> String {
        var export = service.users.export(user)
        var bytes: [UInt8] = []
        while let piece = try await export.next() { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func eachKindReachesOtherDevicesAndTheExport() async throws {
        let service = try await ServiceFixture()
        let user = try await service.user().user
        let rows = Self.responses.enumerated().map {
            ServiceFixture.row("q\($0)", options: $1)
        }
        let first = try await service.answer(user, client: "e", rows)
        #expect(first.knownAnswers[ClientID("e")] == 5)
        #expect(try await received(service, user) == rows)
        // Sent again they are the same answers, not a copied device's.
        let again = try await service.answer(user, client: "e", number: 2, rows)
        #expect(!again.isDeviceStale)
        let text = try await exported(service, user)
        #expect(text.contains(#""options":["c","a"]"#) && text.contains(#""options":[]"#))
        #expect(text.contains(#""enteredNumber":"6.62607015e-34""#))
        #expect(text.contains(##""response":["#drawing",""##))
        #expect(text.components(separatedBy: "\"options\":").count == 4)
    }
}
