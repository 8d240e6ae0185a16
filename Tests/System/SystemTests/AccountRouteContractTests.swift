import AccountContractSupport
import Foundation
import Ledger
import ServerApplication
import ServerTestSupport
import TestSupport
import Testing
import UnderwayTesting

/// The server's routes of accounts reply as the table says that the test kit follows.
@Suite struct AccountRouteContractTests {
    @Test(arguments: AccountContract.rows, AccountContract.Loss.allCases)
    func repliesAreThoseOfTheContract(
        row: AccountContract.Row, loss: AccountContract.Loss
    ) async throws {
        let (folder, clock) = (try TemporaryFolder(), TestClock())
        let users = try await UserBackend(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"), collections: [],
                passwordRounds: 1 << 10), clock: { clock.now })
        let router = InProcessRouter(release: folder.path + "/none", users: users)
        let door = AccountContract.Door(loss, InProcessTransport(router), clock: clock)
        try await row.run(door)
        #expect(door.transcript == row.expected(loss), "\(row.testDescription), \(loss)")
    }
}
