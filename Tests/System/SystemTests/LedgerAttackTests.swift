import ContentModel
import Foundation
import HTTPTypes
import ServerTestSupport
import ServiceAPI
import TestSupport
import Testing
import UserData

/// What a stranger with an anonymous account can do to the server and its other users.
@Suite struct LedgerAttackTests {
    private let folder: TemporaryFolder
    private let router: InProcessRouter

    init() async throws {
        folder = try TemporaryFolder()
        let users = try await Story.users(folder, StoryClock())
        router = InProcessRouter(release: folder.path + "/none", users: users)
    }

    private func account() async throws -> AccountBody.Tokens {
        try AccountBody.Tokens(
            try await router.send(.post, UserDataRoutes.accounts + "/anonymous").body)
    }

    private func headers(_ tokens: AccountBody.Tokens) -> HTTPFields {
        [
            .authorization: "Bearer " + tokens.accessToken, .contentType: "application/json",
        ]
    }

    private func exchange(
        _ tokens: AccountBody.Tokens, client: String = "d", number: UInt64 = 1,
        epoch: String? = nil, cursor: UInt64 = 0
    ) async throws -> ExchangeResponse {
        let request = ExchangeRequest(
            number: number, user: tokens.user, client: ClientID(client), epoch: epoch,
            cursor: cursor, operations: [])
        let answer = try await router.send(
            .post, UserDataRoutes.exchange, headers(tokens),
            body: ExchangeCall(request: request, answers: []).json.canonicalBytes)
        #expect(answer.status == .ok)
        return try ExchangeReply(answer.body, client: ClientID(client)).response
    }

    @Test func aCursorFromTheFutureHarmsNoOtherUser() async throws {
        let (victim, attacker) = (try await account(), try await account())
        let before = try await exchange(victim)
        let own = try await exchange(attacker)
        for number in UInt64(2)...5 {
            _ = try await exchange(attacker, number: number, epoch: own.epoch, cursor: 1 << 53)
        }
        let after = try await exchange(victim, number: 2, epoch: before.epoch)
        #expect(after.epoch == before.epoch && after.digest != nil)
    }

    /// 10,000 equal answers pack into some hundred bytes, and once filled 170 MB.
    @Test(arguments: [15, 64])
    func aFewBytesOfAnswersFillLittle(optionCount: Int) async throws {
        let tokens = try await account()
        let options = [String](repeating: String(repeating: "x", count: 250), count: optionCount)
        let row = AnswerRow(
            bank: "b", session: "s", question: "q", options: options, isCorrect: true,
            takenMilliseconds: 1, exposuresBefore: 0, mode: "study", milliseconds: 5)
        let span = AnswerSpan(client: ClientID("d"), first: 1, count: 10_000)
        let request = ExchangeRequest(
            number: 1, user: tokens.user, client: span.client, epoch: nil, cursor: 0,
            operations: [], knownAnswers: AnswerVector([span.client: 10_000]), answers: [span])
        let columns = AnswerColumns(span: span, rows: Array(repeating: row, count: 10_000))
        let call = ExchangeCall(request: request, answers: [columns])
        let packed = try #require(Gzip.packed(call.json.canonicalBytes))
        var headers = headers(tokens)
        headers[.contentEncoding] = "gzip"
        let before = try bytesOnDisk()
        let answer = try await router.send(
            .post, UserDataRoutes.exchange, headers, body: packed)
        #expect(answer.status == .ok && packed.count < 2_000)
        // The rows, and once more in the log of the database.
        let filled = try bytesOnDisk() - before
        #expect(filled < 3 * ServiceLimits.answerBytesPerRequestMax, "\(packed.count): \(filled)")
    }

    private func bytesOnDisk() throws -> Int {
        let files = FileManager.default.enumerator(atPath: folder.path)
        var bytes = 0
        while let name = files?.nextObject() as? String {
            let values = try FileManager.default.attributesOfItem(
                atPath: folder.path + "/" + name)
            bytes += (values[.size] as? NSNumber)?.intValue ?? 0
        }
        return bytes
    }

    @Test(arguments: ["http", "server"])
    func noDeviceTakesANameOfTheServer(name: String) async throws {
        let tokens = try await account()
        let body =
            #"{"version":1,"user":"\#(tokens.user)","client":"\#(name)","request":1,"#
            + #""processedBefore":9007199254740992}"#
        let answer = try await router.send(
            .post, UserDataRoutes.exchange, headers(tokens), body: Array(body.utf8))
        #expect(answer.status == .badRequest)
        for number in 1...3 {
            let written = try await router.send(
                .put, UserDataRoutes.collections + "/exams/e\(number)", headers(tokens),
                body: Array(#"{"fields":{"n":1}}"#.utf8))
            #expect(written.status == .created)
        }
        #expect(try await exchange(tokens).changes.count == 3)
    }

    @Test func devicesAreListedAndForgottenByTheirAccountAlone() async throws {
        let (mine, other) = (try await account(), try await account())
        _ = try await exchange(mine, client: "my/phone")
        let list = try await router.get(UserDataRoutes.devices, headers(mine))
        #expect(try DeviceBody.list(list.body).map(\.id) == ["my/phone"])
        let path = UserDataRoutes.devices + "/my%2Fphone"
        #expect(try await router.send(.delete, path, headers(other)).status == .notFound)
        #expect(try await router.send(.delete, path, headers(mine)).status == .noContent)
        let rest = try await router.get(UserDataRoutes.devices, headers(mine))
        #expect(try DeviceBody.list(rest.body).isEmpty)
        #expect(try await router.get(UserDataRoutes.devices).status == .unauthorized)
    }
}
