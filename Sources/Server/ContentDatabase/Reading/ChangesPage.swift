import ContentModel
import PostgresDriver

/// A page of the changes of an exam.
package struct ChangesPage: Sendable, Equatable {
    /// The exam.
    package var exam: ExamKey
    /// The time of the exam's last change.
    package var updatedAt: Moment
    /// True when the page begins from the start: the client then deletes questions that are on no page.
    package var isFromStart: Bool
    /// The new and changed questions, each as JSON.
    package var questions: [String] = []
    /// The ids of the removed questions.
    package var removed: [String] = []
    /// The position after the page.
    package var next: ChangesCursor
    /// True when further changes follow.
    package var hasMore = false

    /// The reply.
    package var bytes: [UInt8] {
        var body = ReplyBody()
        body.add("exam", .string(exam.description))
        body.add("contentUpdatedAt", .string(updatedAt.text))
        if isFromStart { body.add("full", true) }
        body.add("questions", rows: questions)
        body.add("removed", .array(removed.map { .string($0) }))
        body.add("next", .string(next.description))
        if hasMore { body.add("more", true) }
        return body.finished
    }
}

extension ChangesPage {
    /// Reads the rows of a request's statement.
    ///
    /// - Returns: `nil` when there is no such exam.
    /// - Throws: `PostgresDecodingError`.
    init?(_ rows: PostgresResult, to request: ChangesRequest) throws(PostgresDecodingError) {
        guard let head = rows.first else { return nil }
        let epoch = try head.value("epoch", as: String.self)
        let isKnown = try head.value("is_known", as: Bool.self)
        let start = Moment(microseconds: 0)
        var next =
            isKnown ? request.start : ChangesCursor(epoch: epoch, time: start, revision: 0, id: "")
        next.epoch = epoch
        self.init(
            exam: request.exam, updatedAt: try head.value("exam_updated_at"),
            isFromStart: !isKnown || request.since == .beginning, next: next)
        for row in rows {
            // An exam without changes is one row of NULL.
            guard let id = try row.value("id", as: String?.self) else { break }
            if let question = try row.value("question", as: String?.self) {
                questions.append(question)
            } else {
                removed.append(id)
            }
            self.next = ChangesCursor(
                epoch: epoch, time: try row.value("content_updated_at"),
                revision: try row.value("revision"), id: id)
            hasMore = try row.value("more")
        }
    }
}

/// A JSON object that is put together from values, and from rows that already are JSON.
struct ReplyBody {
    private var bytes: [UInt8] = []

    mutating func add(_ name: StaticString, _ value: JSONValue) {
        begin(name)
        bytes += value.canonicalBytes
    }

    mutating func add(_ name: StaticString, rows: [String]) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        for (index, row) in rows.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += row.utf8
        }
        bytes.append(UInt8(ascii: "]"))
    }

    var finished: [UInt8] { bytes + "}".utf8 }

    private mutating func begin(_ name: StaticString) {
        bytes += (bytes.isEmpty ? "{\"\(name)\":" : ",\"\(name)\":").utf8
    }
}
