import UserData

extension EncodedAnswers {
    /// The sizes of answers and their validity within the bounds of `AnswerRow`, computed from each distinct text.
    package struct Bounds {
        /// A part of an answer.
        private struct Part {
            var bytes: Int
            var isValid: Bool
            /// True for a response that takes an answer back.
            var isRetraction = false

            init(_ texts: [String], required: Int, overhead: Int = 0) {
                bytes = texts.reduce(0) { $0 + $1.utf8.count + overhead }
                isValid =
                    texts.prefix(required).allSatisfy { !$0.isEmpty }
                    && texts.allSatisfy { $0.utf8.count <= 256 && !$0.utf8.contains(0) }
            }
        }

        private let questions, sessions, responses: [Part]

        /// Computes the bounds, examining each distinct text once.
        package init(_ answers: EncodedAnswers) {
            self.init(answers.questions, answers.sessions, answers.responses)
        }

        init(_ questions: [Question], _ sessions: [Session], _ responses: [[String]]) {
            self.questions = questions.map { question in
                Part(
                    [question.bank, question.question, question.version, question.domain ?? ""],
                    required: 2)
            }
            self.sessions = sessions.map { Part([$0.session, $0.mode], required: 2) }
            self.responses = responses.map { options in
                var part = Part(options, required: 0, overhead: 3)
                part.isValid = part.isValid && options.count <= AnswerRow.optionsMax
                part.isRetraction = options.first == AnswerRow.retractionMark
                if part.isRetraction, AnswerRow.retracted(by: options) == nil {
                    part.isValid = false
                }
                return part
            }
        }

        /// Returns the estimated bytes of an answer, as `AnswerRow.estimatedBytes` does.
        package func estimatedBytes(_ row: Row) -> Int {
            64 + questions[Int(row.question)].bytes + sessions[Int(row.session)].bytes
                + responses[Int(row.response)].bytes
        }

        /// Returns true for a valid answer, as `AnswerRow.isValid` does.
        package func isValid(_ row: Row) -> Bool {
            guard questions[Int(row.question)].isValid, sessions[Int(row.session)].isValid,
                responses[Int(row.response)].isValid, estimatedBytes(row) <= AnswerRow.bytesMax
            else { return false }
            if responses[Int(row.response)].isRetraction, !row.isPlain { return false }
            // A loop took 10 ns a row, and `allSatisfy` with a closure 150.
            for field in AnswerField.allCases {
                if let value = row[field], !field.admits(value) { return false }
            }
            return true
        }
    }
}

extension EncodedAnswers.Row {
    /// True for a row without a credit, a rating and a time, as of a retraction.
    fileprivate var isPlain: Bool {
        !isCorrect && credit == 0 && rating == 0 && takenMilliseconds == 0
    }
}
