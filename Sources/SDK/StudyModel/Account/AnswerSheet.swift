package import Underway

/// The learner's answers on this device as a table for spreadsheets: CSV by RFC 4180, in UTF-8 with a byte order mark.
///
/// Each answer is a row: its time, the subject, the question, the response, right or wrong, and the seconds. The table is
/// a sequence of parts of at most `UserStore.answerPageMax` rows, each of which is read when it is asked for, in one
/// transaction. So memory does not grow with the answers. A cell has at most `AnswerCells.cellMax` characters, which a
/// spreadsheet can hold. A spreadsheet shows the first 1,048,576 rows.
package struct AnswerSheet: AsyncSequence, Sendable {
    /// Some rows of the table; the first part is the header.
    package struct Part: Sendable {
        /// The rows in UTF-8.
        package var bytes: [UInt8]
        /// The number of answers.
        package var answerCount: Int
    }

    /// The name of the file.
    package static let fileName = "underway-answers.csv"
    /// The media type (RFC 4180, section 3).
    package static let type = "text/csv; charset=utf-8; header=present"

    private let content: OfflineStore
    private let userData: any StudyUserData
    private let cells: AnswerCells

    /// Creates the table of a device in a language.
    package init(_ content: OfflineStore, _ userData: any StudyUserData, _ formats: StudyFormats) {
        (self.content, self.userData) = (content, userData)
        cells = AnswerCells(formats: formats)
    }

    /// Begins to read the table.
    package func makeAsyncIterator() -> Iterator {
        Iterator(sheet: self, subjects: AnsweredSubjects(content))
    }

    /// A place in the table.
    package struct Iterator: AsyncIteratorProtocol {
        private let sheet: AnswerSheet
        private var subjects: AnsweredSubjects
        private var cursor: AnswerCursor? = AnswerCursor()
        private var hasHeader = false

        fileprivate init(sheet: AnswerSheet, subjects: AnsweredSubjects) {
            (self.sheet, self.subjects) = (sheet, subjects)
        }

        /// Returns the next rows; `nil` after the last.
        ///
        /// - Throws: `StoreError`, or `CancellationError`.
        package mutating func next() async throws -> Part? {
            try Task.checkCancellation()
            guard hasHeader else {
                hasHeader = true
                let text = CSVRow.byteOrderMark + CSVRow.text(sheet.cells.header)
                return Part(bytes: Array(text.utf8), answerCount: 0)
            }
            while let cursor {
                let page = try await sheet.userData.perform { try $0.answers(after: cursor) }
                self.cursor = page.next
                if !page.answers.isEmpty { return await part(page.answers) }
            }
            return nil
        }

        private mutating func part(_ answers: [AnswerPage.Answer]) async -> Part {
            var text = ""
            for answer in answers {
                let subject = await subjects.subject(answer.bank)
                text += CSVRow.text(sheet.cells.row(answer.record, subject))
            }
            return Part(bytes: Array(text.utf8), answerCount: answers.count)
        }
    }
}
