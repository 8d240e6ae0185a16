import StudyModel

/// The button that takes the newest answer back.
struct UndoView {
    var action: String
    var key: String
    var title: String

    /// Creates the button; `nil` without an answer that can be undone.
    init?(_ key: String?, session id: String, _ words: StudyText) {
        guard let key else { return nil }
        action = "/session/\(id)/undo"
        self.key = key
        title = words["keys.undo"]
    }
}
