package import Ledger
import ServiceAPI
import Tables
package import UserData

extension MemoryTables {
    /// Reads answers of an account within the limit of bytes.
    package func answers(
        _ spans: [AnswerSpan], of user: String, bytesMax: Int
    ) throws -> AnswerPage {
        let account = try account(user)
        var (page, bytes) = (AnswerPage(), 0)
        for span in spans {
            let device = account.devices.first { $0.client == span.client }
            let stored = device?.answers.dropFirst(Int(span.first) - 1).prefix(span.count) ?? []
            guard stored.count == span.count else { throw StorageError.damaged("answers") }
            var rows: [AnswerRow?] = []
            for row in stored {
                bytes += row?.estimatedBytes ?? 1
                if bytes > bytesMax, !(rows.isEmpty && page.runs.isEmpty) {
                    page.hasMore = true
                    break
                }
                rows.append(row)
            }
            if !rows.isEmpty {
                let part = AnswerSpan(client: span.client, first: span.first, count: rows.count)
                page.runs.append(AnswerColumns(span: part, rows: rows))
            }
            if page.hasMore { break }
        }
        return page
    }

    func records(
        of user: String, in collection: String, after id: String, limit: Int, bytesMax: Int
    ) throws -> RecordPage {
        var (page, bytes) = (RecordPage(), 0)
        let rows = try account(user).records.values
            .filter {
                $0.record.key.collection == collection && $0.deletedAt == nil
                    && Self.precedes(id, $0.record.key.id)
            }
            .sorted { Self.precedes($0.record.key.id, $1.record.key.id) }
        for row in rows {
            bytes += row.json.utf8.count
            if page.records.count >= limit || bytes > bytesMax && !page.records.isEmpty {
                page.hasMore = true
                break
            }
            page.records.append(row.record)
        }
        return page
    }

    /// Returns whether a text precedes another in UTF-8 bytes, as in databases.
    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    // MARK: Upkeep

    mutating func purge(before end: Int64, limit: Int) -> Int {
        var dead: [(user: String, row: LogRow, at: Int64)] = []
        for (user, account) in accounts {
            for row in account.records.values {
                if let at = row.deletedAt, at < end { dead.append((user, row, at)) }
            }
        }
        let batch = dead.sorted { $0.at < $1.at }.prefix(limit)
        for (user, row, _) in batch {
            accounts[user]?.records[row.record.key] = nil
            accounts[user]?.totals.recordBytes -= row.json.utf8.count
            let through = accounts[user]?.totals.purgedThrough ?? 0
            accounts[user]?.totals.purgedThrough = max(through, row.position)
        }
        return batch.count
    }

    // MARK: Progress

    func progress(of user: String) throws -> AnswerProgress {
        let answers = try account(user).countedRows
        let days = Dictionary(grouping: answers) {
            min($0.milliseconds / 86_400_000, AnswerTally.dayMax)
        }.map { day, answers in
            AnswerProgress.Day(
                day: day, answers: answers.count, correct: answers.count(where: \.isCorrect),
                questions: Set(answers.map { [$0.bank, $0.question] }).count,
                takenMilliseconds: answers.reduce(0) { $0 + $1.takenMilliseconds })
        }
        let domains = Dictionary(grouping: answers) { [$0.bank, $0.domain ?? ""] }
            .map { names, answers in
                AnswerProgress.Domain(
                    bank: names[0], domain: names[1], answers: answers.count,
                    correct: answers.count(where: \.isCorrect),
                    questions: Set(answers.map(\.question)).count,
                    lastMilliseconds: answers.map(\.milliseconds).max() ?? 0)
            }
        return AnswerProgress(
            days: Array(days.sorted { $0.day > $1.day }.prefix(AnswerProgress.daysMax)),
            domains: Array(
                domains.sorted { one, other in
                    one.bank == other.bank
                        ? Self.precedes(one.domain, other.domain)
                        : Self.precedes(one.bank, other.bank)
                }.prefix(AnswerProgress.domainsMax)))
    }
}
