import ContentModel
import Foundation
import OfflineStorage
import UserData

/// A conflict as text for a learner: the differing fields, the two writes, and the commands to
/// decide.
struct ConflictText {
    private let conflict: RecordConflict
    private let store: String

    /// Creates the text for a conflict in the store of a folder.
    init(_ conflict: RecordConflict, store: String) {
        self.conflict = conflict
        self.store = store
    }

    /// The lines to show.
    var lines: [String] {
        [Console.styled(UserDataText.key(conflict.key), .bold), "  " + cause] + differences
            + ["  To decide, type one of:"]
            + ["keep-mine", "use-server"].map { "    " + command($0) }
    }

    /// The two changes, as one sentence.
    private var cause: String {
        if conflict.mineValues == nil {
            return "This device deleted it, and \(other) changed it without seeing that."
        }
        if conflict.theirs.isDeleted {
            return "This device changed it, and \(other) deleted it without seeing that."
        }
        return before == nil
            ? "Two devices added this without seeing each other's; it did not exist before."
            : "Two devices changed this without seeing each other's change."
    }

    private var differences: [String] {
        let mine = "this device, " + UserDataText.localTime(conflict.mine.time.milliseconds)
        let theirs = "\(other), " + UserDataText.localTime(conflict.theirs.time.milliseconds)
        guard let myValues = conflict.mineValues, !conflict.theirs.isDeleted else {
            return [
                before.map { "  before: \(UserDataText.fields($0))" },
                "  mine:   \(UserDataText.fieldsOrDeleted(conflict.mineValues))  (\(mine))",
                "  server: \(UserDataText.record(conflict.theirs))  (\(theirs))",
            ].compactMap { $0 }
        }
        return conflict.differingFields.flatMap { name in
            [
                "  \(name)",
                before.map { "    before: \(value($0[name]))" },
                "    mine:   \(value(myValues[name]))  (\(mine))",
                "    server: \(value(conflict.theirs.values[name]))  (\(theirs))",
            ].compactMap { $0 }
        }
    }

    /// The fields before both changes; `nil` for a record that did not exist.
    private var before: [String: FieldValue]? {
        conflict.base.flatMap { $0.isDeleted ? nil : $0.values }
    }

    private var other: String { isTheirsOwn ? "this device" : "another device" }

    private var isTheirsOwn: Bool {
        conflict.theirs.operation.client == conflict.mine.id.client
    }

    private func value(_ value: FieldValue?) -> String { UserDataText.value(value ?? .null) }

    private func command(_ verb: String) -> String {
        // With the tag, so that the decision applies only to the values shown here.
        var words = [
            "underway", "conflicts", verb, UserDataText.key(conflict.key), "--shown", conflict.tag,
        ]
        if store != UserDataOptions.defaultFolder { words += ["--store", store.shellWord] }
        return words.joined(separator: " ")
    }
}

extension Policy {
    /// The policy for concurrent changes, as text for a learner.
    var text: String {
        switch self {
        case .appendOnly: "What was added stays as it is."
        case .lastWriteWins: "If two devices change it, the later change wins."
        case .askUser: "If another device changes it meanwhile, you are asked (underway conflicts)."
        case .serverWins: "If another device changes it first, that change stays."
        case .fieldMerge: "Changes of different fields stay; of one field, the later one."
        case .counter: "Steps of all devices add up."
        }
    }
}
