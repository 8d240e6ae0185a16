package import ContentModel
import ServiceAPI

/// A bank in memory, with the results of tables that were filled from it once.
///
/// It has no earlier state of the bank: a client with another state gets all questions.
///
/// ```swift
/// let bank = PublishedBank(blueprint, of: exam, checksum: checksum, updatedAt: updatedAt)
/// let page = bank.questions(
///     try QuestionsRequest(exam: exam, difficulty: "3", after: nil, limit: nil))
/// print(page.questions.count)
/// ```
package struct PublishedBank: Sendable {
    private struct Row {
        var id: String
        var difficulty: Int
        var isRetired: Bool
        var json: String
    }

    /// The exam.
    package let exam: ExamKey
    /// The checksum of the bank.
    package let checksum: Checksum
    private let updatedAt: Moment
    private let rows: [Row]

    /// Creates a bank.
    ///
    /// - Parameters:
    ///   - bank: The bank.
    ///   - exam: Its exam.
    ///   - checksum: The checksum of its bytes.
    ///   - updatedAt: The time of its last change.
    package init(
        _ bank: Blueprint, of exam: ExamKey, checksum: Checksum, updatedAt: Moment
    ) {
        self.exam = exam
        self.checksum = checksum
        self.updatedAt = updatedAt
        rows = bank.questions.map { question in
            Row(
                id: question.id, difficulty: question.difficulty, isRetired: question.isRetired,
                json: String(decoding: question.json.canonicalBytes, as: UTF8.self))
        }.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }

    /// Returns a page of the questions, by their ids.
    package func questions(_ request: QuestionsRequest) -> QuestionsPage {
        let wanted = rows(after: request.after).filter { row in
            !row.isRetired && request.difficulty.map { $0 == row.difficulty } ?? true
        }
        let (page, hasMore) = Self.page(wanted[...], limit: request.limit)
        return QuestionsPage(
            exam: exam, updatedAt: updatedAt, questions: page.map(\.json),
            next: hasMore ? page.last?.id : nil)
    }

    /// Returns a page of the changes: of all questions, unless the client has this bank.
    package func changes(_ request: ChangesRequest) -> ChangesPage {
        let start = start(of: request.since)
        let (page, hasMore) = Self.page(rows(after: start.id), limit: request.limit)
        return ChangesPage(
            exam: exam, updatedAt: updatedAt, isFromStart: start.isFromStart,
            questions: page.map(\.json), next: cursor(page.last?.id ?? start.id), hasMore: hasMore)
    }

    private func start(of since: ChangesRequest.Since) -> (id: String, isFromStart: Bool) {
        switch since {
        case .cursor(let cursor) where cursor.epoch == epoch: (cursor.id, false)
        case .time(let time) where time > updatedAt: (rows.last?.id ?? "", false)
        case .beginning, .cursor, .time: ("", true)
        }
    }

    /// The bank is a history of its own, in which nothing changes.
    private var epoch: String { String(checksum.hex.prefix(8)) }

    private func cursor(_ id: String) -> ChangesCursor {
        ChangesCursor(epoch: epoch, time: updatedAt, revision: 1, id: id)
    }

    private func rows(after id: String) -> ArraySlice<Row> {
        rows.drop { !id.utf8.lexicographicallyPrecedes($0.id.utf8) }
    }

    private static func page(
        _ rows: ArraySlice<Row>, limit: Int
    ) -> (page: ArraySlice<Row>, hasMore: Bool) {
        var bytes = 0
        var count = 0
        for row in rows.prefix(limit) {
            bytes += row.json.utf8.count
            guard count == 0 || bytes <= ServiceLimits.contentPageBytesMax else { break }
            count += 1
        }
        return (rows.prefix(count), count < rows.count)
    }
}
