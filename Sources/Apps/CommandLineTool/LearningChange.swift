import ContentModel
import QuestionEngine

/// A change of the learner's settings by arguments such as `newPerDay=10`.
enum LearningChange {
    /// The value that removes a setting.
    private static let standard = "default"

    /// The settings that only all banks together have.
    private static let common: Set<LearningFields.Field> = [.rolloverHour, .optimises]

    /// Changes settings.
    ///
    /// - Parameters:
    ///   - arguments: Each the name of a setting, `=`, and its value as JSON or `default`.
    ///   - present: The settings that the learner has.
    ///   - ofAllBanks: True if they are those of all banks, which alone have the hour of the day's end.
    /// - Returns: The settings with the changes.
    /// - Throws: `CommandFailure` `usage` for an unknown name, or a value of another kind or out of range.
    static func fields(
        _ arguments: [String], changing present: LearningFields, ofAllBanks: Bool
    ) throws -> LearningFields {
        var members = try members(of: present)
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let field = LearningFields.Field(rawValue: parts[0])
            else {
                throw unknown(argument)
            }
            guard ofAllBanks || !common.contains(field) else {
                throw CommandFailure(
                    .usage, "\(field.rawValue) is the same for all banks. Leave the bank out.")
            }
            let value = try? JSONParser.parse(Array(parts[1].utf8)).value
            guard value != nil || parts[1] == standard else { throw outOfRange(argument) }
            members[field.rawValue] = value
        }
        let changed = try JSONValue.object(members).decoded(as: LearningFields.self)
        if let field = changed.outOfRange.first {
            throw outOfRange(
                arguments.last { $0.hasPrefix(field.rawValue + "=") } ?? field.rawValue)
        }
        return changed
    }

    /// Returns settings as the arguments that set them, by name.
    static func arguments(_ fields: LearningFields) throws -> [String] {
        try members(of: fields).map { name, value in
            "\(name)=\(String(decoding: value.canonicalBytes, as: UTF8.self))"
        }.sorted()
    }

    private static func members(of fields: LearningFields) throws -> [String: JSONValue] {
        guard case .object(let members) = try JSONValue(encoding: fields) else { return [:] }
        return members
    }

    private static func unknown(_ argument: String) -> CommandFailure {
        let names = LearningFields.Field.allCases.map(\.rawValue).joined(separator: ", ")
        return CommandFailure(
            .usage, "--set takes NAME=VALUE, not \(argument). The names are \(names).")
    }

    private static func outOfRange(_ argument: String) -> CommandFailure {
        CommandFailure(
            .usage,
            "\(argument) is out of range. Values are such as newPerDay=10, retention=0.9, spreads=false,"
                + " easyDays=[100,100,100,100,100,50,0] or lapseLimit=default.")
    }
}
