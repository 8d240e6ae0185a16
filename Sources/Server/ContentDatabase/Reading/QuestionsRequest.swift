import ContentModel
import PostgresDriver
package import ServiceAPI

/// A parsed request for the questions of an exam.
package struct QuestionsRequest: Hashable, Sendable {
    /// The exam.
    package var exam: ExamKey
    /// The difficulty from 1 to 5; `nil` for all.
    package var difficulty: Int?
    /// The last id that the client knows; empty before the first.
    package var after: String
    /// The maximum number of questions on a page.
    package var limit: Int

    /// Parses the parts of a URL.
    ///
    /// - Throws: `WireError` for another form.
    package init(
        exam: ExamKey, difficulty: String?, after: String?, limit: String?
    ) throws(WireError) {
        self.exam = exam
        if let difficulty {
            guard let number = Int(difficulty), (1...5).contains(number) else {
                throw WireError("difficulty", "must be from 1 to 5")
            }
            self.difficulty = number
        }
        self.after = after ?? ""
        guard self.after.isEmpty || Identifier.isValid(self.after) else {
            throw WireError("after", "must be the id of a question")
        }
        self.limit = try PageLimit.parse(limit)
    }

    /// The query: one statement, and so one state of the tables.
    var statement: PostgresStatement {
        """
        select e.content_updated_at, p.id, p.question, p.more
        from content.exams as e left join lateral (
            select n.id, content.question_json(n.q) as question, n.number < n.total as more
            from (
                select f.id, f.q, row_number() over in_order as number, count(*) over () as total,
                    sum(f.bytes) over in_order as bytes_so_far
                from (
                    select q.id, q.bytes, q from content.exam_questions(
                        e.region, e.id, \(difficulty)::integer) as q
                    where q.id > \(after)::text order by q.id limit \(limit + 1)
                ) as f
                window in_order as (order by f.id)
            ) as n
            where n.number <= \(limit) and (
                n.number = 1 or n.bytes_so_far <= \(ServiceLimits.contentPageBytesMax)::bigint)
        ) as p on true
        where e.region = \(exam.region) and e.id = \(exam.exam)
        order by p.id
        """
    }
}

/// A page of the questions of an exam.
package struct QuestionsPage: Sendable, Equatable {
    /// The exam.
    package var exam: ExamKey
    /// The time of the exam's last change.
    package var updatedAt: Moment
    /// The questions, each as JSON.
    package var questions: [String] = []
    /// The id to continue after; `nil` at the end.
    package var next: String?

    /// The reply.
    package var bytes: [UInt8] {
        var body = ReplyBody()
        body.add("exam", .string(exam.description))
        body.add("contentUpdatedAt", .string(updatedAt.text))
        body.add("questions", rows: questions)
        if let next { body.add("next", .string(next)) }
        return body.finished
    }
}

extension QuestionsPage {
    /// Reads the rows of a request's statement.
    ///
    /// - Returns: `nil` when there is no such exam.
    /// - Throws: `PostgresDecodingError`.
    init?(_ rows: PostgresResult, to request: QuestionsRequest) throws(PostgresDecodingError) {
        guard let head = rows.first else { return nil }
        self.init(exam: request.exam, updatedAt: try head.value("content_updated_at"))
        for row in rows {
            // An exam without questions is one row of NULL.
            guard let id = try row.value("id", as: String?.self) else { break }
            questions.append(try row.value("question"))
            next = try row.value("more", as: Bool.self) ? id : nil
        }
    }
}
