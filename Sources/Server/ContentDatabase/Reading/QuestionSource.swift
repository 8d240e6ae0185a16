/// A source of published questions: the content tables, or the release itself.
package protocol QuestionSource: Sendable {
    /// Returns a page of the changes of an exam, oldest first.
    ///
    /// - Returns: The page; `nil` for an unknown exam.
    /// - Throws: `ContentDatabaseError`.
    func changes(_ request: ChangesRequest) async throws -> ChangesPage?

    /// Returns a page of the questions of an exam, by their ids.
    ///
    /// - Returns: The page; `nil` for an unknown exam.
    /// - Throws: `ContentDatabaseError`.
    func questions(_ request: QuestionsRequest) async throws -> QuestionsPage?
}

extension ContentTables: QuestionSource {}
