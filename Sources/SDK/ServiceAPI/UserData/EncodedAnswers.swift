package import UserData

/// Answers in dictionary encoding: each distinct question, session and response once, and a row of
/// numbers for each answer.
///
/// The wire format, the tables of device and server and the statistics use this form, so that a run of 10,000 answers
/// is never expanded into as many values with eight texts each.
package struct EncodedAnswers: Sendable {
    /// A question in the version that was shown.
    package struct Question: Sendable, Hashable {
        /// The bank of the question.
        package var bank: String
        /// The question's id.
        package var question: String
        /// The question's domain, if it has one.
        package var domain: String?
        /// The version of the content that was shown.
        package var version: String

        package init(bank: String, question: String, domain: String?, version: String) {
            self.bank = bank
            self.question = question
            self.domain = domain
            self.version = version
        }
    }

    /// A session with its mode.
    package struct Session: Sendable, Hashable {
        /// The session's id.
        package var session: String
        /// The session's purpose.
        package var mode: String

        package init(session: String, mode: String) {
            self.session = session
            self.mode = mode
        }
    }

    /// An answer except its texts.
    package struct Row: Sendable {
        /// The index of the question.
        package var question: Int32
        /// The index of the session.
        package var session: Int32
        /// The index of the response.
        package var response: Int32
        /// True when it matched the key of that version.
        package var isCorrect: Bool
        /// True when chance alone selected the question.
        package var isRandomlySelected: Bool
        /// The credit.
        package var credit: Double
        /// The recall rating from 1 to 4; 0 for none.
        package var rating: Int
        /// The time that the question was on the screen, in milliseconds.
        package var takenMilliseconds: Int64
        /// The number of times that the learner had seen the question before.
        package var exposuresBefore: Int64
        /// The time of the answer, in milliseconds since 1970.
        package var milliseconds: Int64
        /// The minutes by which the device's zone was then ahead of UTC; `nil` if not recorded.
        package var offsetMinutes: Int16?

        package init(
            question: Int32, session: Int32, response: Int32, isCorrect: Bool,
            isRandomlySelected: Bool, credit: Double, rating: Int, takenMilliseconds: Int64,
            exposuresBefore: Int64, milliseconds: Int64, offsetMinutes: Int16? = nil
        ) {
            self.question = question
            self.session = session
            self.response = response
            self.isCorrect = isCorrect
            self.isRandomlySelected = isRandomlySelected
            self.credit = credit
            self.rating = rating
            self.takenMilliseconds = takenMilliseconds
            self.exposuresBefore = exposuresBefore
            self.milliseconds = milliseconds
            self.offsetMinutes = offsetMinutes
        }

        /// The credit of an answer that is either right or wrong.
        package var plainCredit: Double { isCorrect ? 1 : 0 }
    }

    /// The questions that rows refer to; some may be in no row.
    package let questions: [Question]
    /// The sessions that rows refer to.
    package let sessions: [Session]
    /// The responses in their raw form that rows refer to.
    package let responses: [[String]]
    /// The answers in order; `nil` for those that the server did not accept.
    package let rows: [Row?]

    /// Creates answers from dictionaries and rows, whose indices must be valid.
    package init(
        questions: [Question], sessions: [Session], responses: [[String]], rows: [Row?]
    ) {
        self.questions = questions
        self.sessions = sessions
        self.responses = responses
        self.rows = rows
    }

    /// Returns the answers of a range of rows.
    package func slice(_ range: Range<Int>) -> EncodedAnswers {
        if range == rows.indices { return self }
        return EncodedAnswers(
            questions: questions, sessions: sessions, responses: responses,
            rows: Array(rows[range]))
    }

    /// The answers as plain values.
    ///
    /// Cost: O(rows), with a copy of each text's reference; not for performance-critical code.
    package var answers: [AnswerRow?] {
        rows.map { row in
            row.map {
                Self.answer(
                    questions[Int($0.question)], sessions[Int($0.session)],
                    options: responses[Int($0.response)], $0)
            }
        }
    }

    /// Returns an answer as a plain value.
    package static func answer(
        _ question: Question, _ session: Session, options: [String], _ row: Row
    ) -> AnswerRow {
        AnswerRow(
            bank: question.bank, session: session.session, question: question.question,
            domain: question.domain, version: question.version, options: options,
            isCorrect: row.isCorrect, credit: row.credit,
            rating: row.rating == 0 ? nil : row.rating,
            takenMilliseconds: row.takenMilliseconds, exposuresBefore: row.exposuresBefore,
            mode: session.mode, isRandomlySelected: row.isRandomlySelected,
            milliseconds: row.milliseconds, offsetMinutes: row.offsetMinutes.map(Int.init))
    }
}

// MARK: Encoding

extension EncodedAnswers {
    /// Encodes plain values.
    ///
    /// - Parameter answers: The answers; `nil` for those that the server did not accept.
    package init(_ answers: some Collection<AnswerRow?>) {
        var (questions, sessions) = (Distinct<Question>(), Distinct<Session>())
        var responses = Distinct<[String]>()
        var rows: [Row?] = []
        rows.reserveCapacity(answers.count)
        for answer in answers {
            guard let answer else {
                rows.append(nil)
                continue
            }
            rows.append(
                Row(
                    question: questions.index(
                        of: Question(
                            bank: answer.bank, question: answer.question, domain: answer.domain,
                            version: answer.version)),
                    session: sessions.index(
                        of: Session(session: answer.session, mode: answer.mode)),
                    response: responses.index(of: answer.options), isCorrect: answer.isCorrect,
                    isRandomlySelected: answer.isRandomlySelected, credit: answer.credit,
                    rating: answer.rating ?? 0, takenMilliseconds: answer.takenMilliseconds,
                    exposuresBefore: answer.exposuresBefore, milliseconds: answer.milliseconds,
                    offsetMinutes: answer.offsetMinutes.map { Int16(clamping: $0) }))
        }
        self.init(
            questions: questions.values, sessions: sessions.values, responses: responses.values,
            rows: rows)
    }

    /// The distinct values of a column, in the order of their first appearance.
    package struct Distinct<Value: Hashable & Sendable>: Sendable {
        /// The values.
        package private(set) var values: [Value] = []
        private var indices: [Value: Int32] = [:]
        private var last: Int32?

        package init() {}

        /// Returns the index of a value, adding it if it is new.
        ///
        /// Cost: one comparison for the value of the previous row, else one look-up.
        package mutating func index(of value: Value) -> Int32 {
            if let last, values[Int(last)] == value { return last }
            let index = indices[value] ?? Int32(values.count)
            if Int(index) == values.count {
                values.append(value)
                indices[value] = index
            }
            last = index
            return index
        }
    }
}
