/// A source of published questions: the content tables, or the release itself.
package protocol QuestionSource: Sendable {
    /// Returns a page of the changes of an exam, oldest first.
    ///
    /// - Returns: `nil` when there is no such exam.
    /// - Throws: `ContentDatabaseError`.
    func changes(_ request: ChangesRequest) async throws -> ChangesPage?

    /// Returns a page of the questions of an exam, by their ids.
    ///
    /// - Returns: `nil` when there is no such exam.
    /// - Throws: `ContentDatabaseError`.
    func questions(_ request: QuestionsRequest) async throws -> QuestionsPage?
}

extension ContentTables: QuestionSource {}
