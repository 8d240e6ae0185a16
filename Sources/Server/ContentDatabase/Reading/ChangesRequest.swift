import PostgresDriver
package import ServiceAPI

/// A parsed request for the changes of an exam.
package struct ChangesRequest: Hashable, Sendable {
    /// The requested changes.
    package enum Since: Hashable, Sendable {
        /// All questions.
        case beginning
        /// The changes at that time and later.
        case time(Moment)
        /// The changes after a position.
        case cursor(ChangesCursor)
    }

    /// The exam.
    package var exam: ExamKey
    /// The requested changes.
    package var since: Since
    /// The maximum number of changes on a page.
    package var limit: Int

    /// Parses the parts of a URL.
    ///
    /// - Parameters:
    ///   - exam: The exam.
    ///   - since: A cursor, a time of RFC 3339, or `nil`.
    ///   - limit: The maximum number of changes on a page; by default the server's maximum.
    /// - Throws: `WireError` for another form.
    package init(exam: ExamKey, since: String?, limit: String?) throws(WireError) {
        self.exam = exam
        self.limit = try PageLimit.parse(limit)
        if let since, !since.isEmpty {
            if let cursor = ChangesCursor(since) {
                self.since = .cursor(cursor)
            } else if let time = Moment(rfc3339: since) {
                self.since = .time(time)
            } else {
                throw WireError("since", "must be `next` of an earlier page, or a time (RFC 3339)")
            }
        } else {
            self.since = .beginning
        }
    }

    /// The query: one statement, and so one state of the tables.
    ///
    /// A cursor of another history, or beyond the end of this one, begins from the start.
    var statement: PostgresStatement {
        let start = start
        return """
            select h.epoch, h.content_updated_at as exam_updated_at, h.is_known,
                c.id, c.content_updated_at, c.revision, c.question, c.more
            from (
                select left(s.epoch::text, 8) as epoch, e.region, e.id, e.content_updated_at,
                    \(start.epoch)::text = '' or (left(s.epoch::text, 8) = \(start.epoch)::text
                        and s.revision >= \(start.revision)::bigint) as is_known
                from content.state as s, content.exams as e
                where e.region = \(exam.region) and e.id = \(exam.exam)
            ) as h left join lateral content.exam_changes(
                h.region, h.id,
                case when h.is_known then \(start.time) else \(Moment(microseconds: 0)) end,
                case when h.is_known then \(start.revision)::bigint else 0 end,
                case when h.is_known then \(start.id)::text else '' end,
                \(limit)::integer, \(ServiceLimits.contentPageBytesMax)::bigint) as c on true
            order by c.content_updated_at, c.revision, c.id
            """
    }

    /// The position as a cursor; with an empty epoch it holds in every history.
    var start: ChangesCursor {
        switch since {
        case .beginning:
            ChangesCursor(epoch: "", time: Moment(microseconds: 0), revision: 0, id: "")
        case .time(let time): ChangesCursor(epoch: "", time: time, revision: 0, id: "")
        case .cursor(let cursor): cursor
        }
    }
}

/// The number of rows that a client asks for.
enum PageLimit {
    static func parse(_ text: String?) throws(WireError) -> Int {
        guard let text else { return ServiceLimits.contentPageRowsMax }
        guard let limit = Int(text), (1...ServiceLimits.contentPageRowsMax).contains(limit) else {
            throw WireError("limit", "must be from 1 to \(ServiceLimits.contentPageRowsMax)")
        }
        return limit
    }
}
