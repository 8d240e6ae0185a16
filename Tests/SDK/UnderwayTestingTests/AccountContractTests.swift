import AccountContractSupport
import Foundation
import SyncClient
import Testing
import UnderwayTesting

/// The test kit replies as a server does; `AccountRouteContractTests` holds the server to the same table.
@Suite struct AccountContractTests {
    @Test(arguments: AccountContract.rows, AccountContract.Loss.allCases)
    func repliesAreThoseOfTheContract(
        row: AccountContract.Row, loss: AccountContract.Loss
    ) async throws {
        let clock = TestClock()
        let door = AccountContract.Door(loss, TestSyncServer(clock: clock), clock: clock)
        try await row.run(door)
        #expect(door.transcript == row.expected(loss), "\(row.testDescription), \(loss)")
    }

    /// No route of the server is missing in the kit without a word.
    @Test func theKitSaysWhatItLacks() async throws {
        let kit = TestSyncServer()
        for path in TestSyncServer.routesNotInKit {
            let address = TestDevice.serverAddress.appending(path: String(path.dropFirst()))
            let reply = try await kit.send(
                TransportRequest(
                    "POST", url: address, headers: [:], body: nil, bodyBytesMax: 1 << 20))
            #expect(reply.status == 501, "\(path)")
        }
    }
}
