import ContentModel
import GRDB

extension AnswerStatistics {
    /// The most days that a dashboard gets.
    static let daysMax = 366
    /// The most domains that a dashboard gets.
    static let domainsMax = 1000

    /// Returns `days`, the newest first, and `domains`.
    func json() throws -> JSONValue {
        [
            "days": .array(
                try rows(
                    """
                    SELECT date(day * 86400, 'unixepoch') AS day, answers, correct, questions,
                        takenMilliseconds FROM dayStatistics AS kept
                    WHERE account = ? ORDER BY kept.day DESC LIMIT \(Self.daysMax)
                    """)),
            "domains": .array(
                try rows(
                    """
                    SELECT bank, nullif(domain, '') AS domain, answers, correct, questions,
                        lastMilliseconds FROM domainStatistics AS kept
                    WHERE account = ? ORDER BY bank, kept.domain LIMIT \(Self.domainsMax)
                    """)),
        ]
    }

    /// Returns the same, computed from all answers: seconds where there are a million.
    func recomputed() throws -> JSONValue {
        [
            "days": .array(
                try rows(
                    """
                    SELECT date(min(milliseconds / 86400000, \(AnswerTally.dayMax)) * 86400,
                            'unixepoch') AS day,
                        count(*) AS answers, sum(isCorrect) AS correct,
                        count(DISTINCT bank || char(10) || question) AS questions,
                        sum(takenMilliseconds) AS takenMilliseconds
                    FROM answer JOIN device ON device.number = answer.device
                    WHERE device.account = ? AND bank IS NOT NULL
                    GROUP BY 1 ORDER BY 1 DESC LIMIT \(Self.daysMax)
                    """)),
            "domains": .array(
                try rows(
                    """
                    SELECT bank, nullif(domain, '') AS domain, count(*) AS answers,
                        sum(isCorrect) AS correct, count(DISTINCT question) AS questions,
                        max(milliseconds) AS lastMilliseconds
                    FROM answer JOIN device ON device.number = answer.device
                    WHERE device.account = ? AND bank IS NOT NULL
                    GROUP BY 1, 2 ORDER BY 1, 2 LIMIT \(Self.domainsMax)
                    """)),
        ]
    }

    /// True when what is kept is what the answers say.
    ///
    /// - Throws: An error of the database.
    package func isSound() throws -> Bool { try json() == recomputed() }

    private func rows(_ sql: String) throws -> [JSONValue] {
        try Row.fetchAll(database, sql: sql, arguments: [account.number]).map(Self.json)
    }

    private static func json(_ row: Row) -> JSONValue {
        var members: [String: JSONValue] = [:]
        for (name, value) in row {
            switch value.storage {
            case .int64(let number): members[name] = .integer(Int(number))
            case .string(let text): members[name] = .string(text)
            case .double(let number): members[name] = .decimal(number)
            case .null, .blob: break
            }
        }
        return .object(members)
    }
}
