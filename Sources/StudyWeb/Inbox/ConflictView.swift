import Foundation
import StudyModel
import Underway

/// The values of a conflict's page.
struct ConflictView {
    struct Side {
        var title: String
        var who: String
    }

    struct Cell {
        var value: String
        var was: String?
    }

    struct Field {
        var title: String
        var differs: Bool
        var mine: Cell
        var server: Cell
    }

    struct Decision {
        var title: String
        var name: String
    }

    /// The context of `part_conflict`.
    struct Table {
        var caption: String
        var thing: String
        var mine: Side
        var server: Side
        var differsWord: String
        var fields: [Field]
        var keepMine: Decision
        var useServer: Decision
    }

    var heading: String
    var details: String
    var who: String
    var changed: String?
    var path: String
    var tag: String
    var canEdit: Bool
    var conflict: Table

    init(_ screen: ConflictScreen, hasChanged: Bool, _ formats: StudyFormats) {
        let words = formats.words
        heading = words.text("conflict.title", ["thing": words.thing(screen.topic)])
        details = words.details(screen.topic)
        who = words["conflict.whoOther"]
        changed =
            hasChanged
            ? words.text(
                "conflict.serverChanged", ["time": formats.time(screen.serverChangedAt)]) : nil
        path = ConflictPages.path(of: screen.key)
        (tag, canEdit) = (screen.tag, screen.canEdit)
        conflict = Table(screen, heading, formats)
    }
}

extension ConflictView.Table {
    init(_ screen: ConflictScreen, _ caption: String, _ formats: StudyFormats) {
        let words = formats.words
        let field = FieldWords(screen: screen, formats: formats)
        self.caption = caption
        thing = words["conflict.field"]
        mine = .init(
            title: words["conflict.mine"],
            who: words.text(
                "conflict.thisDevice",
                ["when": formats.moment(screen.mineChangedAt, now: screen.now)]))
        server = .init(
            title: words["conflict.server"],
            who: formats.moment(screen.serverChangedAt, now: screen.now))
        differsWord = words["conflict.differs"]
        let (isMineGone, isServerGone) = (screen.isMineDeleted, screen.isServerDeleted)
        let deleted = words["conflict.deleted"]
        func was(_ shown: ConflictScreen.Field, _ isNew: Bool) -> String? {
            guard screen.hasBase, shown.differs, isNew else { return nil }
            return words.text("conflict.was", ["value": field.text(shown.base, of: shown)])
        }
        fields = screen.fields.map { shown in
            ConflictView.Field(
                title: field.name(shown), differs: shown.differs,
                mine: .init(
                    value: isMineGone ? deleted : field.text(shown.mine, of: shown),
                    was: isMineGone ? nil : was(shown, shown.isMineNew)),
                server: .init(
                    value: isServerGone ? deleted : field.text(shown.server, of: shown),
                    was: isServerGone ? nil : was(shown, shown.isServerNew)))
        }
        let first = screen.fields.first
        keepMine = .init(
            title: words["conflict.keepMine"],
            name: words.text(
                "conflict.keepMineNamed",
                ["value": isMineGone ? deleted : first.map { field.text($0.mine, of: $0) } ?? ""]))
        useServer = .init(
            title: words["conflict.useServer"],
            name: words.text(
                "conflict.useServerNamed",
                [
                    "value": isServerGone
                        ? deleted : first.map { field.text($0.server, of: $0) } ?? ""
                ]))
    }
}
