import Ledger
import ServiceAPI
import UserData

/// What is taken back: by all rows at once, as a device judges, and as the server judged row by row.
extension Oracle {
    mutating func judgeRetractions(_ devices: [Simulation.Device], _ server: SimulatedServer) {
        for (user, account) in server.tables.accounts {
            let rule = Retractions(account.rows.map { ($0, $1) })
            let stored = account.retractions.filter(\.holds).map { ($0.target, $0.id) }
            expect(
                Dictionary(stored, uniquingKeysWith: { $1 }) == rule.holding
                    && stored.count == rule.holding.count,
                "the server of \(user) takes back \(stored.count), not \(rule.holding.count)")
            let counted = SessionScore.sums(EncodedAnswers(account.countedRows), now: 0)
            expect(
                Self.sums(account.sessions) == Self.sums(counted),
                "sums of \(user) differ from those of the answers that count")
            for (number, device) in devices.enumerated()
            where device.user == user && device.disk.given == server.accounts[user]?.given {
                let rows = device.disk.given.flatMap { client, values in
                    values.enumerated().map { index, value in
                        (AnswerID(client: client, number: UInt64(index) + 1), server.row(value))
                    }
                }
                expect(
                    Retractions(rows).holding == rule.holding,
                    "device \(number) takes back other answers")
            }
        }
    }

    private static func sums(_ scores: [SessionScore]) -> [[Int]] {
        scores.map { [$0.answers, $0.points, $0.firstAnswers, $0.firstPoints] }
    }
}
