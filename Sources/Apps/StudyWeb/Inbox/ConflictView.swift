import Foundation
import StudyModel
import Underway

/// The values of a conflict's page.
struct ConflictView {
    var heading: String
    var details: String
    var who: String
    var changed: String?
    var path: String
    var tag: String
    var canEdit: Bool
    /// The context of `part_conflict`.
    var conflict: ConflictTable

    init(_ screen: ConflictScreen, hasChanged: Bool, _ formats: StudyFormats) {
        let words = formats.words
        conflict = ConflictTable(screen, formats)
        heading = conflict.caption
        details = words.details(screen.topic)
        who = words["conflict.whoOther"]
        changed =
            hasChanged
            ? words.text(
                "conflict.serverChanged", ["time": formats.time(screen.serverChangedAt)]) : nil
        path = ConflictPages.path(of: screen.key)
        (tag, canEdit) = (screen.tag, screen.canEdit)
    }
}
